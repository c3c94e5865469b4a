// Everything that is said in words about a board: the label of each square, whose move it is, what is in
// the hand, what stands wrong, and what a screen reader hears when something happens. No page in it.

import { firstMove, nameOf, occupiedOf, piecesOf, squareOf, whiteBegins } from './state.js';
import { hasText, list, spoken, text } from './texts.js';

// What each light means, and the mark that says so without colour. Hue, rhythm, level and the English
// sentence are those of `boardfw/lights/cue.py`; a test holds the two tables against each other.
// Marks that lie around a piece are drawn under it; a badge is one letter in the corner, above it.

/** @typedef {{hue: string, level: number, rhythm: string, mark: string, badge: string}} Cue */

/** @param {string} hue @param {number} level @param {string} rhythm @param {string} mark @returns {Cue} */
function cue(hue, level, rhythm, mark) {
  const [around, badge] = mark.split(' ');
  return { hue, level, rhythm, mark: around ?? '', badge: badge ?? '' };
}

/** @type {Record<string, Cue>} */
export const CUES = {
  quiet: cue('white', 0.55, 'steady', 'dot'),
  capture: cue('amber', 1, 'pulse', 'ring'),
  en_passant: cue('amber', 0.8, 'blink', 'none ×'),
  castling: cue('blue', 1, 'wink', 'target'),
  check: cue('red', 1, 'heartbeat', 'frame !'),
  checker: cue('red', 0.9, 'steady', 'corners'),
  last_move: cue('white', 0.25, 'steady', 'none'),
  last_move_provisional: cue('white', 0.35, 'breath', 'dashed'),
  repair_from: cue('red', 1, 'blink', 'frame ↑'),
  repair_to: cue('blue', 1, 'steady', 'target ↓'),
  missing: cue('blue', 0.5, 'steady', 'dashed'),
  extra: cue('red', 0.6, 'pulse', 'none ×'),
  candidate: cue('blue', 1, 'breath', 'frame ?'),
  wanted: cue('blue', 1, 'wink', 'target ↓'),
  surplus: cue('red', 0.9, 'pulse', 'frame ↑'),
  letter: cue('white', 0.7, 'steady', 'none'),
  winners_half: cue('white', 0.35, 'steady', 'none'),
  winners_king: cue('white', 1, 'breath', 'frame ★'),
  losers_king: cue('red', 0.8, 'steady', 'none ×'),
  drawn: cue('blue', 0.5, 'steady', 'none'),
  drawn_king: cue('white', 1, 'breath', 'frame ='),
  stuck: cue('amber', 0.4, 'glow', 'none ~'),
  blind: cue('amber', 0.6, 'breath', 'dashed ~'),
  good_bye: cue('white', 0.6, 'steady', 'none'),
  whites_letter: cue('white', 0.7, 'sign', 'none'),
  blacks_letter: cue('white', 0.45, 'sign', 'none'),
  faulty: cue('red', 1, 'breath', 'frame !'),
  reason_piece: cue('red', 0.66, 'steady', 'corners'),
  reason_square: cue('red', 1, 'pulse', 'ring'),
  way_0: cue('amber', 0.8, 'run-1', 'diamond'),
  way_1: cue('amber', 0.8, 'run-2', 'diamond'),
  way_2: cue('amber', 0.8, 'run-3', 'diamond'),
  way_3: cue('amber', 0.8, 'run-4', 'diamond'),
  way_4: cue('amber', 0.8, 'run-5', 'diamond'),
  way_5: cue('amber', 0.8, 'run-6', 'diamond'),
  this_one: cue('blue', 1, 'breath', 'frame ↑'),
  put_here: cue('blue', 1, 'steady', 'target ↓'),
  done: cue('white', 0.8, 'steady', 'none ✓'),
  wrong: cue('red', 1, 'twice', 'none ×'),
  star_0: cue('amber', 0.9, 'twinkle', 'star'),
  star_1: cue('amber', 0.9, 'twinkle-back', 'star'),
  danger: cue('amber', 0.9, 'lean', 'dot !'),
  hangs: cue('amber', 0.9, 'knock', 'corners !'),
  really: cue('red', 1, 'sway', 'frame ?'),
  who_moves: cue('white', 1, 'breath', 'ring'),
  ripening: cue('white', 0.8, 'rise', 'ring'),
  found: cue('white', 0.42, 'steady', 'none ✓'),
  area: cue('white', 0.35, 'sign', 'dashed'),
  counter: cue('blue', 0.66, 'steady', 'diamond'),
  looked_at: cue('blue', 0.66, 'steady', 'diamond'),
  knocks: cue('white', 1, 'knock', 'frame'),
  question: cue('blue', 0.9, 'pulse', 'frame ?'),
  attacker: cue('red', 0.66, 'steady', 'corners'),
  guard: cue('blue', 0.6, 'pulse', 'ring'),
  level: cue('white', 0.5, 'steady', 'diamond'),
  good: cue('blue', 1, 'pulse', 'dot +'),
  doubtful: cue('amber', 0.9, 'wink', 'dot ?'),
  losing: cue('red', 1, 'twice', 'dot ×'),
};

/** "white knight", in the language of the page. @param {string} letter */
export function pieceName(letter) {
  return text(`piece ${letter === letter.toUpperCase() ? 'w' : 'b'}${letter.toLowerCase()}`);
}

/** The cue of each lit square by the square's name. @param {Record<string, string[]> | null | undefined} cues */
export function cuesBySquare(cues) {
  /** @type {Map<string, string>} */
  const found = new Map();
  for (const [name, squares] of Object.entries(cues ?? {})) {
    for (const square of squares) found.set(square, name);
  }
  return found;
}

/**
 * The sentence of a cue without its full stop, to stand in a label; those of a path and of stars are alike.
 * @param {string} name
 * @param {boolean} [isEmpty] whether nothing stands on the square: its piece may be in a hand, or show another square
 */
export function cueWords(name, isEmpty = false) {
  const key = `cue ${name.replace(/_\d$/, '')}`;
  return text(isEmpty && hasText(`${key} empty`) ? `${key} empty` : key).replace(/\.$/, '');
}

/** @typedef {import('./types.js').Snapshot} Snapshot */
/** @typedef {import('./types.js').Delta} Delta */

/**
 * Like "f6, black knight, lit: you may capture here".
 * @param {number} square
 * @param {string} piece its letter, or ''
 * @param {string | undefined} cue
 * @param {{inHand?: boolean, isEmpty?: boolean}} [more]
 */
export function squareLabel(square, piece, cue, more = {}) {
  const words = [nameOf(square), piece ? pieceName(piece) : text('empty')];
  if (more.inHand) words.push(text('in the hand'));
  if (cue) words.push(text('lit', lowerFirst(cueWords(cue, more.isEmpty))));
  return words.join(', ');
}

/** @param {string} sentence */
function lowerFirst(sentence) {
  return sentence.slice(0, 1).toLowerCase() + sentence.slice(1);
}

/** Who is to move. @param {Snapshot} state @returns {'w' | 'b'} */
export function turnOf(state) {
  if (state.turn) return state.turn;
  const isWhite = whiteBegins(state.game.start_fen) === (state.game.plies.length % 2 === 0);
  return isWhite ? 'w' : 'b';
}

/**
 * The number and the side of a ply, like "12." and "12…".
 * @param {Snapshot['game']} game
 * @param {number} ply counted from 0
 */
export function plyNumber(game, ply) {
  const offset = whiteBegins(game.start_fen) ? 0 : 1;
  const move = firstMove(game.start_fen) + ((ply + offset) >> 1);
  return { move, isWhite: (ply + offset) % 2 === 0 };
}

/** "White to move, move 12", or how the game ended. @param {Snapshot} state */
export function situation(state) {
  const { game } = state;
  if (state.lesson) return spoken(state.lesson, 'title')[1] || text('review');
  if (state.phase === 'setup') return text('setting up');
  if (game.result && game.result !== '*') {
    const how = game.termination ? text(`end ${game.termination}`) : '';
    return [text(`result ${game.result}`), how].filter(Boolean).join(' · ');
  }
  const { move } = plyNumber(game, game.plies.length);
  return text('to move', text(`side ${turnOf(state)}`), move);
}

/**
 * "Ann – Bob"; whose name is not known is called by their colour.
 * @param {string | undefined} white
 * @param {string | undefined} black
 */
export function playerNames(white, black) {
  const named = (/** @type {string | undefined} */ name, /** @type {string} */ side) => (name && name !== '?' ? name : text(`side ${side}`));
  return text('versus', named(white, 'w'), named(black, 'b'));
}

/** What is held, and where it came from: "In hand: white bishop from g5". @param {Snapshot} state */
export function handWords(state) {
  const held = state.hand.map(([letter, from]) => (from ? text('piece from', pieceName(letter), from) : pieceName(letter)));
  return held.length ? text('in hand', list(held)) : text('nothing in hand');
}

/** What stands wrong and the way back, as sentences. @param {Snapshot} state @returns {string[]} */
export function mismatchWords(state) {
  const wrong = state.mismatch;
  if (!wrong) return [];
  const pieces = piecesOf(state.placement);
  const parts = [];
  if (wrong.missing.length) parts.push(text('missing', list(wrong.missing)));
  if (wrong.extra.length) parts.push(text('extra', list(wrong.extra)));
  const sentences = [text('differ', parts.join(', '))];
  for (const [from, to] of wrong.repair?.slice(0, 1) ?? []) {
    const letter = (to && pieces[squareOf(to)]) || '';
    const piece = letter ? pieceName(letter) : text('the piece');
    if (from && to) sentences.push(text('put back', piece, from, to));
    else if (to) sentences.push(text('put from box', piece, to));
    else if (from) sentences.push(text('take off', from));
  }
  if (!wrong.repair?.length) {
    const home = wrong.missing[0];
    const letter = home ? pieces[squareOf(home)] : '';
    if (home && letter) sentences.push(text('put home', pieceName(letter), home));
  }
  if (wrong.why) sentences.push(spoken(wrong, 'why')[1]);
  return sentences;
}

/** The last move in words. @param {Snapshot} state */
export function lastMoveWords(state) {
  const { plies } = state.game;
  const last = plies[plies.length - 1];
  if (!last) return text('no move yet');
  const words = moveWords(state.game, plies.length - 1);
  return last[2].includes('p') ? text('not certain', words) : words;
}

/** "12. White: Bxf6, g5 to f6". @param {Snapshot['game']} game @param {number} ply from 0 */
export function moveWords(game, ply) {
  const made = game.plies[ply];
  if (!made) return '';
  const { move, isWhite } = plyNumber(game, ply);
  return text('move said', move, text(isWhite ? 'side w' : 'side b'), made[1], made[0].slice(0, 2), made[0].slice(2, 4));
}

/** Which squares are lit and why, for those who cannot see them. @param {Snapshot} state */
export function lightWords(state) {
  /** @type {Map<string, string[]>} */
  const sentences = new Map();
  // They draw a picture, or say something about the game, and nothing about each of their squares.
  const areas = new Set(['winners_half', 'drawn', 'good_bye', 'letter', 'whites_letter', 'blacks_letter'].map((name) => cueWords(name)));
  const closed = occupiedOf(state.occ);
  const unread = [...(state.stuck ?? []), ...(state.blind ?? [])];
  for (const [square, cue] of cuesBySquare(state.cues)) {
    const words = cueWords(cue, !closed[squareOf(square)] && !unread.includes(square));
    sentences.set(words, [...(sentences.get(words) ?? []), square]);
  }
  return [...sentences].map(([words, squares]) => (areas.has(words) ? words : `${list(squares)}: ${lowerFirst(words)}`));
}

/**
 * What a screen reader should say of what has happened: each thing once. A provisional move is said when it comes
 * and not again when it stands, unless another one took its place.
 * @param {Snapshot} before
 * @param {Snapshot} after
 * @param {Delta[]} deltas
 * @returns {string}
 */
export function announcement(before, after, deltas) {
  /** @type {string[]} */
  const said = [];
  /** @type {Set<number>} */
  const plies = new Set();
  for (const event of deltas.flatMap((delta) => delta.e ?? [])) {
    switch (event.event) {
      case 'move':
        plies.add(Number(event.ply));
        break;
      case 'amend':
        said.push(text('said amended', moveWords(after.game, Number(event.ply) - 1)));
        break;
      case 'take_back':
        said.push(text('said taken back', Number(event.plies)));
        break;
      case 'check':
        said.push(text('said check', String(event.square)));
        break;
      case 'ask':
        said.push(askWords(after));
        break;
      case 'mismatch':
        said.push(mismatchWords(after).join(' '));
        break;
      case 'mismatch_cleared':
        said.push(text('said agrees'));
        break;
      case 'result':
        said.push(text(`result ${event.result}`));
        break;
      case 'new_game':
        said.push(text('said new game'));
        break;
    }
  }
  const moves = [...plies]
    .filter((ply) => isNews(before, after, ply))
    .map((ply) => moveWords(after.game, ply - 1));
  return [...moves, ...said].filter(Boolean).join(' ');
}

/**
 * What the board has said that stays nowhere on a page, and so has to be shown for a while. Notices that name moves,
 * programs or lessons are English on every page.
 * @param {Snapshot} after
 * @param {Delta[]} deltas
 * @returns {{words: string, lang?: string, isNotice?: boolean}[]}
 */
export function passing(after, deltas) {
  return deltas.flatMap((delta) => delta.e ?? []).flatMap((event) => {
    if (event.event === 'notice') {
      const key = `notice ${event.text}`;
      const [{ lang }, words] = hasText(key) ? [{}, text(key)] : spoken(event, 'text');
      return { isNotice: true, words, lang };
    }
    if (event.event === 'offer') return { words: text(after.opponent ? 'said your offer' : 'said offer') };
    if (event.event !== 'claim' || event.kind) return []; // what is right ends the game, and that is said
    return { words: text(event.awaits_move ? 'said claim awaits' : 'said claim wrong') };
  });
}

/** Whether this ply was not there before, or was another move. @param {Snapshot} before @param {Snapshot} after @param {number} ply */
function isNews(before, after, ply) {
  const made = after.game.plies[ply - 1];
  return made !== undefined && before.game.plies[ply - 1]?.[0] !== made[0];
}

/** "Two moves explain the board. Bxd5 or Bxf5?" @param {Snapshot} state */
export function askWords(state) {
  const moves = (state.ask ?? []).map((candidate) => candidate.san);
  return moves.length ? text('asks', moves.length, moves.join(text('or'))) : '';
}

// The time on both clocks. The server sends no ticks: the page counts from what it was sent.
/** @typedef {import('./types.js').Clock} Clock */

/**
 * Milliseconds that a side has left.
 * @param {Clock} clock
 * @param {'w' | 'b'} side
 * @param {number} since milliseconds since the clock was received
 */
export function leftMs(clock, side, since) {
  const runs = clock.runs === side ? since : 0;
  return Math.max(0, clock[side] - runs);
}

/**
 * `1:30:00`, `4:59`, and below ten seconds `9.5`; rounded up, so that 0 means no time left.
 * @param {number} ms
 */
export function clockText(ms) {
  if (ms < 10_000) {
    const tenths = Math.ceil(ms / 100);
    return `${Math.floor(tenths / 10)}.${tenths % 10}`;
  }
  const seconds = Math.ceil(ms / 1000);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const two = (/** @type {number} */ n) => String(n).padStart(2, '0');
  return hours ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}

/** Milliseconds until the text of a clock changes next. @param {number} ms */
export function untilNextText(ms) {
  const step = ms <= 10_000 ? 100 : 1000;
  return ms % step || step;
}
