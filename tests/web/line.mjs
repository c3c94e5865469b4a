// A line between a browser and the board that can be slow, cut, or seem to be there while it is not.

import { connect, createServer } from 'node:net';

/** Bytes that a slow line passes at a time. */
const PIECE = 1460;

export class Line {
  /** @param {number} port where the board is @param {number} [bitsPerSecond] in each direction */
  constructor(port, bitsPerSecond = Infinity) {
    this.target = port;
    this.bytesPerMs = bitsPerSecond / 8000;
    /** @type {'open' | 'refusing' | 'held'} */
    this.state = 'open';
    /** @type {Set<{near: any, far: any, isDead: boolean}>} */
    this.pairs = new Set();
    /** When each direction has passed what is on its way. @type {[number, number]} */
    this.freeAt = [0, 0];
    /** What each has to do then. @type {[[number, () => void][], [number, () => void][]]} */
    this.waiting = [[], []];
    this.port = 0;
    this.server = createServer((near) => this.#accept(near));
  }

  /** @returns {Promise<Line>} */
  listen() {
    return new Promise((resolve) => {
      this.server.listen(0, '127.0.0.1', () => {
        this.port = /** @type {any} */ (this.server.address()).port;
        resolve(this);
      });
    });
  }

  /** Both ends hear that the line is cut; who connects is refused. */
  refuse() {
    this.state = 'refusing';
    for (const { near, far } of this.pairs) {
      near.resetAndDestroy();
      far?.resetAndDestroy();
    }
  }

  /** Nothing passes, nobody hears of it, and nothing is lost. */
  hold() {
    this.state = 'held';
    for (const { near, far } of this.pairs) {
      near.pause();
      far?.pause();
    }
  }

  /** Nothing passes, the browser does not hear of it, and its connections never come back. */
  drop() {
    this.hold();
    for (const pair of this.pairs) {
      pair.isDead = true;
      pair.far?.resetAndDestroy();
    }
  }

  /** Everything passes. */
  open() {
    this.state = 'open';
    for (const pair of this.pairs) {
      if (pair.isDead) continue;
      if (!pair.far) this.#join(pair);
      pair.near.resume();
      pair.far.resume();
    }
  }

  close() {
    this.refuse();
    this.server.close();
  }

  /** @param {any} near */
  #accept(near) {
    if (this.state === 'refusing') return near.resetAndDestroy();
    /** @type {{near: any, far: any, isDead: boolean}} */
    const pair = { near, far: null, isDead: false };
    this.pairs.add(pair);
    near.on('error', () => {});
    near.on('close', () => {
      this.pairs.delete(pair);
      pair.far?.destroy();
    });
    near.setNoDelay(true);
    near.pause();
    if (this.state !== 'open') return;
    this.#join(pair);
    near.resume();
  }

  /** @param {{near: any, far: any, isDead: boolean}} pair */
  #join(pair) {
    const { near } = pair;
    const far = connect(this.target, '127.0.0.1');
    pair.far = far;
    far.setNoDelay(true);
    far.on('error', () => {});
    far.on('close', () => pair.isDead || this.#later(1, () => near.end()));
    this.#pass(near, far, 0);
    this.#pass(far, near, 1);
  }

  /** @param {any} from @param {any} to @param {0 | 1} way */
  #pass(from, to, way) {
    from.on('end', () => this.#later(way, () => to.end()));
    from.on('data', (/** @type {Buffer} */ data) => {
      for (let at = 0; at < data.length; at += PIECE) {
        const piece = data.subarray(at, at + PIECE);
        this.freeAt[way] = Math.max(performance.now(), this.freeAt[way]) + piece.length / this.bytesPerMs;
        this.#later(way, () => to.writable && to.write(piece));
      }
    });
  }

  /** Do this when what is on its way has passed. @param {0 | 1} way @param {() => void} act */
  #later(way, act) {
    if (this.bytesPerMs === Infinity) return act();
    const waiting = this.waiting[way];
    waiting.push([this.freeAt[way], act]);
    if (waiting.length === 1) this.#work(way);
  }

  /** @param {0 | 1} way */
  #work(way) {
    const waiting = this.waiting[way];
    for (;;) {
      const first = waiting[0];
      if (!first) return;
      const left = first[0] - performance.now();
      if (left > 0) return void setTimeout(() => this.#work(way), left);
      first[1]();
      waiting.shift();
    }
  }
}
