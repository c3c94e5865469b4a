// What every page that shows a game has in common: the stream with its bar of an old picture, names and clocks,
// the list of moves, and buttons that have to be held.

import { h, say, show } from './dom.js';
import { announcement, clockText, leftMs, passing, plyNumber, turnOf, untilNextText } from './labels.js';
import { Feed } from './server.js';
import { text } from './texts.js';

/** @typedef {import('./types.js').Snapshot} Snapshot */
/** @typedef {import('./app.js').App} App */

/** Which roles may press buttons. */
export const ACTORS = ['player', 'arbiter', 'owner'];

/** So long has a button to be held that ends a game. */
const HOLD_MS = 1500;

/**
 * Connect an app to the board: conditions, the bar of an old picture, and reading aloud are the same on every page
 * that shows the board.
 * @param {App} app
 * @param {(state: Snapshot) => void} draw
 * @param {{told?: 'all' | 'moves' | 'nothing', own?: () => import('./app.js').Condition}} [how] `told` is what is said: the moves are read
 *   aloud, and all that is shown for a while to who can answer it; `own` is how a page is that shows something else, which stays
 * @returns {{feed: Feed, bar: HTMLElement}}
 */
export function follow(app, draw, { told = 'all', own } = {}) {
  const bar = h('div', { class: 'bar', hidden: true });
  let lostAt = 0;
  let pliesThen = 0;
  let asking = false;
  let away = 'stale';
  const url = `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/api/v1/stream`;
  const feed = new Feed(url, {
    onState: (state, before, deltas) => {
      away = 'stale';
      app.nameBoard(state.board);
      if (before && deltas && told !== 'nothing') app.announce(announcement(before, state, deltas));
      if (told === 'all' && ACTORS.includes(state.role)) tell(state, before, deltas ?? []);
      draw(state);
    },
    onConnection: (connection) => {
      if (connection === 'stale') {
        lostAt = performance.now() - feed.silenceMs();
        pliesThen = feed.state?.game.plies.length ?? 0;
        app.announce(text('stale', Math.round(feed.silenceMs() / 1000)));
        sayWhatIsAway();
      } else if (connection === 'live' && lostAt) {
        lostAt = 0;
        app.notice(backWords((feed.state?.game.plies.length ?? 0) - pliesThen));
      }
      show(bar, connection === 'stale');
      app.setCondition(connection === 'refused' ? 'forbidden' : (connection === 'live' && own?.()) || connection);
    },
    onRefused: async () => {
      if (asking) return;
      asking = true;
      try {
        const session = await app.session();
        if (session.role === null) {
          feed.refuse();
          app.showForbidden();
        }
      } catch (error) {
        // The server is away, or the board behind it, and the feed goes on trying.
        if (/** @type {any} */ (error).status === 503) away = 'off';
        if (!feed.state && !own) app.showLoading(text('connecting'));
      }
      asking = false;
    },
  });
  window.setInterval(() => {
    if (lostAt) sayWhatIsAway();
  }, 1000);
  document.addEventListener('visibilitychange', () => (document.hidden ? feed.hide() : feed.wake()));
  window.addEventListener('online', () => feed.wake());
  // A page that is shown for the first time has just begun to listen.
  window.addEventListener('pageshow', (event) => event.persisted && feed.wake());
  document.addEventListener('resume', () => feed.wake());
  window.addEventListener('offline', () => feed.offline());
  // Leaving says so, so that the server need not find out.
  window.addEventListener('pagehide', () => feed.stop());
  feed.start();
  return { feed, bar };

  function sayWhatIsAway() {
    say(bar, text(away, Math.max(1, Math.round((performance.now() - lostAt) / 1000))));
  }

  /** @param {Snapshot} state @param {Snapshot | null} before @param {import('./types.js').Delta[]} deltas */
  function tell(state, before, deltas) {
    const passed = passing(state, deltas);
    if (!before?.lesson && !state.lesson) passed.forEach(({ words, lang }) => app.notice(words, { lang }));
    if (!before?.lesson || state.lesson) return; // within a lesson its card says them
    // The last word of a lesson says how far one has come.
    const last = passed.filter(({ isNotice }) => isNotice).pop() ?? { words: text('lesson over') };
    app.notice(last.words, { lang: last.lang });
  }
}

/** @param {number} moves */
function backWords(moves) {
  if (moves <= 0) return text('back');
  return moves === 1 ? text('back with one') : text('back with', moves);
}

/** The name and the clock of one side. */
export class Strip {
  constructor() {
    this.name = h('span', { class: 'name' });
    this.turn = h('span', { class: 'to-move' }, text('to move short'));
    this.clock = h('span', { class: 'clock', role: 'timer', 'aria-live': 'off' });
    this.element = h('div', { class: 'strip' }, h('span', { class: 'swatch', 'aria-hidden': 'true' }), this.name, this.turn, this.clock);
  }

  /** @param {Snapshot} state @param {'w' | 'b'} side */
  show(state, side) {
    const tag = state.game.tags[side === 'w' ? 'White' : 'Black'];
    const engine = state.opponent?.side === side ? state.opponent.name : '';
    say(this.name, (tag && tag !== '?' ? tag : engine) || text(`side ${side}`));
    this.element.dataset.side = side;
    const isTurn = state.phase === 'play' && turnOf(state) === side;
    this.element.classList.toggle('turn', isTurn);
    show(this.turn, isTurn);
    show(this.clock, state.clock !== null);
    this.clock.setAttribute('aria-label', text('clock of', text(`side ${side}`)));
  }

  /** @param {import('./types.js').Clock} clock @param {'w' | 'b'} side @param {number} ageMs @returns {number} ms until it changes */
  tick(clock, side, ageMs) {
    const left = leftMs(clock, side, ageMs);
    say(this.clock, clockText(left));
    this.clock.classList.toggle('runs', clock.runs === side);
    this.clock.classList.toggle('short', left < 20_000);
    return clock.runs === side ? untilNextText(left) : Infinity;
  }
}

/** Both strips of a board, and their ticking. */
export class Strips {
  constructor() {
    this.top = new Strip();
    this.bottom = new Strip();
    this.timer = 0;
  }

  /** @param {Snapshot} state @param {boolean} isTurned @param {() => number} ageMs */
  show(state, isTurned, ageMs) {
    const [top, bottom] = isTurned ? /** @type {const} */ (['w', 'b']) : /** @type {const} */ (['b', 'w']);
    this.top.show(state, top);
    this.bottom.show(state, bottom);
    window.clearTimeout(this.timer);
    const { clock } = state;
    if (!clock) return;
    const tick = () => {
      const wait = Math.min(this.top.tick(clock, top, ageMs()), this.bottom.tick(clock, bottom, ageMs()));
      if (wait < Infinity) this.timer = window.setTimeout(tick, wait + 5);
    };
    tick();
  }
}

/** A button that saves a game of the collection. @param {number} id */
export function pgnLink(id) {
  return h('a', { class: 'button', href: `/api/v1/games/${id}.pgn`, download: `game-${id}.pgn` }, text('pgn of'));
}

/**
 * The moves of a game, two a line. What was replaced or taken back stands struck through before its successor.
 * @param {import('./types.js').Game} game
 * @param {import('./types.js').Gone[]} history
 * @param {(ply: number, san: string, state: string) => Node} move how one move is drawn; `ply` counts from 0
 */
export function moveRows(game, history, move) {
  const count = Math.max(game.plies.length, ...history.map(([ply]) => ply));
  /** @type {HTMLElement[]} */
  const rows = [];
  for (let ply = 0; ply < count; ply++) {
    const number = plyNumber(game, ply);
    if (number.isWhite || !rows.length) {
      const first = h('span', { class: 'number' }, `${number.move}.`);
      rows.push(h('li', {}, first, number.isWhite ? null : h('span', { class: 'cell' }, '…')));
    }
    const cell = h('span', { class: 'cell' });
    for (const [at, , san] of history) {
      if (at === ply + 1) cell.append(h('del', { title: text('gone title') }, san), ' ');
    }
    const made = game.plies[ply];
    if (made) cell.append(move(ply, made[1], made[2]));
    rows[rows.length - 1]?.append(cell);
  }
  return rows;
}

/**
 * A button that acts only after it was held for a while, by a finger or by a key.
 * @param {string} words
 * @param {() => void} act
 * @param {() => void} tellHow called when it was let go too early
 */
export function holdButton(words, act, tellHow) {
  let timer = 0;
  const button = h('button', { type: 'button', class: 'hold danger' }, words);
  const begin = () => {
    if (timer) return;
    button.classList.add('held-down');
    timer = window.setTimeout(() => (end(), act()), HOLD_MS);
  };
  const end = () => {
    window.clearTimeout(timer);
    timer = 0;
    button.classList.remove('held-down');
  };
  const letGo = () => {
    if (!timer) return;
    end();
    tellHow();
  };
  const isKey = (/** @type {KeyboardEvent} */ event) => event.key === 'Enter' || event.key === ' ';
  button.addEventListener('pointerdown', begin);
  for (const name of ['pointerup', 'pointercancel', 'pointerleave', 'blur']) button.addEventListener(name, letGo);
  button.addEventListener('contextmenu', (event) => event.preventDefault());
  button.addEventListener('keydown', (event) => {
    if (!isKey(event)) return;
    event.preventDefault();
    if (!event.repeat) begin();
  });
  button.addEventListener('keyup', (event) => isKey(event) && letGo());
  return button;
}
