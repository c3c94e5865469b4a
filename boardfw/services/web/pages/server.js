// Commands to the board and questions to its server, over HTTP. Every answer that is no success becomes a
// `Refusal` with one sentence that says what to do.

import { fold } from './state.js';
import { spoken, text } from './texts.js';

const ROOT = '/api/v1';

export class Refusal extends Error {
  /**
   * @param {number} status the HTTP status; 0: no answer came at all
   * @param {string} message
   * @param {any} [body] the whole answer, where it was JSON
   */
  constructor(status, message, body) {
    super(message);
    this.status = status;
    this.body = body;
    /** The language of the message, where it is not the page's. @type {string | undefined} */
    this.lang = body?.what ? spoken(body, 'what')[0].lang : undefined;
  }
}

/** A new id for a command, so that one sent twice counts once. `randomUUID` is missing on plain HTTP. */
export function newId() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (/** @type {number} */ (bytes[6]) & 0x0f) | 0x40;
  bytes[8] = (/** @type {number} */ (bytes[8]) & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/**
 * @param {string} method
 * @param {string} path below the API's root
 * @param {unknown} [body]
 * @returns {Promise<any>} the JSON of the answer; null: it had none
 */
async function ask(method, path, body) {
  /** @type {Record<string, string>} */
  const headers = { Accept: 'application/json' };
  // The header that no form and no foreign page can send without asking.
  if (method !== 'GET') headers['X-Boardfw'] = '1';
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  let answer;
  try {
    answer = await fetch(ROOT + path, {
      method,
      headers,
      body: body === undefined ? undefined : JSON.stringify(body),
      credentials: 'same-origin',
      cache: 'no-store',
    });
  } catch {
    throw new Refusal(0, text('no answer'));
  }
  const found = await answer.json().catch(() => null);
  if (!answer.ok) throw new Refusal(answer.status, sentence(answer.status, found), found);
  return found;
}

/** @param {number} status @param {any} problem */
function sentence(status, problem) {
  const keys = [problem?.what ? 'what' : problem?.detail ? 'detail' : 'title', 'remedy'];
  const told = keys.map((key) => spoken(problem ?? {}, key)[1]).filter((part) => typeof part === 'string' && part).join('; ');
  if (told) return told;
  if (status === 401 || status === 403) return text('not allowed');
  return status === 404 ? text('not there') : text('refused', status);
}

/** @param {string} path */
export const get = (path) => ask('GET', path);
/** @param {string} path @param {unknown} [body] */
export const post = (path, body = {}) => ask('POST', path, body);
/** @param {string} path @param {unknown} body */
export const put = (path, body) => ask('PUT', path, body);
/** @param {string} path */
export const remove = (path) => ask('DELETE', path, {});

// The stream of what happens at the board: one WebSocket that only listens, and is opened again for ever.
/** @typedef {import('./types.js').Snapshot} Snapshot */
/** @typedef {import('./types.js').Delta} Delta */

/** The server sends a beat every 5 s: after two missed ones the picture is called old, a moment later the socket dead. */
const OLD_MS = 10_500;
const DEAD_MS = 12_000;
const FIRST_WAIT_MS = 500;
/** A page that nobody looks at gives its place to those who do. */
const HIDDEN_MS = 60_000;
/** The close code of a session that has ended or has other rights now. */
const ENDED = 4401;

/**
 * @typedef {'loading' | 'live' | 'stale' | 'refused'} Connection
 * @typedef {import('./types.js').StreamMessage} StreamMessage
 * @typedef {object} Surroundings what a feed needs of the browser; tests give their own
 * @property {(url: string) => WebSocket} open
 * @property {() => number} now milliseconds
 * @property {() => number} chance 0 to 1
 * @property {(act: () => void, ms: number) => number} later
 * @property {(timer: number) => void} forget
 */

/** @returns {Surroundings} */
function browser() {
  return {
    open: (url) => new WebSocket(url),
    now: () => performance.now(),
    chance: Math.random,
    later: (act, ms) => window.setTimeout(act, ms),
    forget: (timer) => window.clearTimeout(timer),
  };
}

export class Feed {
  /**
   * @param {string} url of the stream, without its query
   * @param {object} listeners
   * @param {(state: Snapshot, before: Snapshot | null, deltas: Delta[] | null) => void} listeners.onState
   *   a new state; `deltas` is null after a snapshot, `before` where there was no state
   * @param {(connection: Connection) => void} listeners.onConnection
   * @param {() => void} [listeners.onRefused] the server has closed on us, or did not let us in: who are we?
   * @param {Surroundings} [surroundings]
   */
  constructor(url, { onState, onConnection, onRefused }, surroundings = browser()) {
    this.url = url;
    this.onState = onState;
    this.onConnection = onConnection;
    this.onRefused = onRefused;
    this.around = surroundings;
    /** @type {Snapshot | null} */
    this.state = null;
    /** When anything at all was heard last, and how far our clock is ahead of the board's. */
    this.heardAt = surroundings.now();
    this.aheadMs = 0;
    /** When the stream was asked for, as long as nothing has come through it; null: something has. @type {number | null} */
    this.askedAt = null;
    /** @type {Connection} */
    this.connection = 'loading';
    /** @type {WebSocket | null} */
    this.socket = null;
    this.waitMs = FIRST_WAIT_MS;
    /** @type {number | null} */
    this.retry = null;
    /** @type {number | null} */
    this.watch = null;
    /** @type {number | null} */
    this.sleep = null;
  }

  /** Open the stream, or open it again at once. */
  start() {
    if (this.retry) this.around.forget(this.retry);
    this.retry = null;
    this.#drop();
    const since = this.state ? `?since=${encodeURIComponent(`${this.state.boot}:${this.state.seq}`)}` : '';
    const socket = this.around.open(this.url + since);
    this.socket = socket;
    const opened = (this.askedAt = this.around.now());
    let wasHeard = false;
    socket.onmessage = (message) => {
      if (socket !== this.socket) return;
      wasHeard = true;
      this.#hear(JSON.parse(String(message.data)));
    };
    socket.onclose = (event) => {
      if (socket === this.socket) this.#closed(event.code, wasHeard);
    };
    this.#watchBeats(opened);
  }

  /** Close the stream and open no other. */
  stop() {
    this.#drop();
    for (const timer of [this.retry, this.watch, this.sleep]) if (timer) this.around.forget(timer);
    this.retry = this.watch = this.sleep = null;
  }

  /** We are not let in: open nothing until somebody calls `start`. */
  refuse() {
    this.stop();
    this.#set('refused');
  }

  /** The browser has found its network, or somebody looks at the page again. */
  wake() {
    if (this.sleep) this.around.forget(this.sleep);
    this.sleep = null;
    if (this.connection === 'refused') return;
    // A phone that slept, or has found another network, has an open socket to nobody, and may have heard something just
    // before; what it missed is little to tell. Only a socket that was asked for just now is waited for.
    if (this.socket && this.askedAt !== null && this.around.now() - this.askedAt <= 1000) return;
    this.start();
  }

  /** The page is hidden; after a while it stops listening. */
  hide() {
    this.sleep ??= this.around.later(() => this.stop(), HIDDEN_MS);
  }

  /** The browser says that it has no network. */
  offline() {
    if (this.state) this.#set('stale');
  }

  /** Milliseconds since anything was heard. */
  silenceMs() {
    return this.around.now() - this.heardAt;
  }

  /** Milliseconds since the clocks of the state were right. */
  clockAgeMs() {
    const at = this.state?.clock?.at;
    return at === undefined ? 0 : Math.max(0, this.around.now() - this.aheadMs - at);
  }

  #drop() {
    const socket = this.socket;
    this.socket = null;
    if (!socket) return;
    socket.onmessage = socket.onclose = null;
    socket.close();
  }

  /** @param {number} code @param {boolean} wasHeard whether anything ever came through this socket */
  #closed(code, wasHeard) {
    this.socket = null;
    if (this.state) this.#set('stale');
    // Half of the wait is chance, so that a hundred viewers do not come back in the same instant.
    this.retry = this.around.later(() => this.start(), (this.waitMs * (1 + this.around.chance())) / 2);
    // A server that begins again is found soon; one that is away for a minute is asked less often.
    this.waitMs = Math.min(this.silenceMs() < HIDDEN_MS ? 1500 : 15000, this.waitMs * 2);
    // A handshake that failed does not say why; whoever knows our session does, and may call `refuse`.
    if (code === ENDED || !wasHeard) this.onRefused?.();
  }

  /** @param {number} opened when the socket was opened */
  #watchBeats(opened) {
    if (this.watch) this.around.forget(this.watch);
    const silence = Math.min(this.silenceMs(), this.around.now() - opened);
    if (silence >= OLD_MS && this.state) this.#set('stale');
    if (silence >= DEAD_MS) {
      // A phone that slept has an open socket to nobody.
      this.#drop();
      this.#closed(1006, true);
      return;
    }
    const next = silence < OLD_MS ? OLD_MS : DEAD_MS;
    this.watch = this.around.later(() => this.#watchBeats(opened), Math.max(next - silence, 20));
  }

  /** @param {StreamMessage} message */
  #hear(message) {
    const now = this.around.now();
    const boardTime = message.t ?? message.beat;
    // A message can only come late: the smallest difference of the two clocks is the nearest to the truth.
    if (boardTime !== undefined) {
      const ahead = now - boardTime;
      const isNewClock = now - this.heardAt > DEAD_MS || message.snapshot !== undefined;
      this.aheadMs = isNewClock || !this.state ? ahead : Math.min(this.aheadMs, ahead);
    }
    this.heardAt = now;
    this.askedAt = null;
    this.waitMs = FIRST_WAIT_MS;
    const before = this.state;
    if (message.snapshot) {
      this.state = message.snapshot;
      this.onState(this.state, before, null);
    } else if (message.deltas?.length) {
      this.#follow(message.deltas);
    }
    if (this.state) this.#set('live');
  }

  /** @param {Delta[]} deltas */
  #follow(deltas) {
    const before = this.state;
    if (!before) return;
    const news = deltas.filter((delta) => delta.seq > before.seq);
    let state = before;
    for (const delta of news) {
      if (delta.seq !== state.seq + 1) {
        // A gap: what was missed cannot be guessed. A foreign name of the run asks for a snapshot.
        this.state = { ...state, boot: '-' };
        this.start();
        return;
      }
      state = /** @type {Snapshot} */ (fold(state, delta));
    }
    if (!news.length) return;
    this.state = state;
    this.onState(state, before, news);
  }

  /** @param {Connection} connection */
  #set(connection) {
    if (connection === this.connection) return;
    this.connection = connection;
    this.onConnection(connection);
  }
}
