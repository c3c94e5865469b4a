// What the pages compute without a page: squares, labels, what is read aloud, clocks, texts, and the stream.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { squaresOf } from '../../boardfw/services/web/pages/board.js';
import * as labels from '../../boardfw/services/web/pages/labels.js';
import { Feed } from '../../boardfw/services/web/pages/server.js';
import { fold, moved, nameOf, occupiedOf, piecesOf, squareOf } from '../../boardfw/services/web/pages/state.js';
import { hasText, speak, text } from '../../boardfw/services/web/pages/texts.js';
import { LIVE, START, occupancy, plies, state } from './states.mjs';
import { PAGES, TEXTS, wordsOf } from './static_server.mjs';

speak('en', wordsOf('en'));

test('a square has one name and one number', () => {
  for (let square = 0; square < 64; square++) assert.equal(squareOf(nameOf(square)), square);
  assert.deepEqual([nameOf(0), nameOf(7), nameOf(56), nameOf(63)], ['a1', 'h1', 'a8', 'h8']);
});

test('an occupancy has the bits of the squares that are taken', () => {
  assert.equal(occupancy(START), 'ffff00000000ffff');
  const taken = occupiedOf('0000000000000081');
  assert.deepEqual(taken.flatMap((is, square) => (is ? [nameOf(square)] : [])), ['a1', 'h1']);
});

test('moves put pieces where the rules do', () => {
  const at = (/** @type {string[]} */ pieces, /** @type {string} */ name) => pieces[squareOf(name)];
  const castle = moved(piecesOf('r3k2r/8/8/8/8/8/8/R3K2R'), 'e1g1');
  assert.deepEqual(['e1', 'f1', 'g1', 'h1'].map((name) => at(castle, name)), ['', 'R', 'K', '']);
  const chess960 = moved(piecesOf('8/8/8/8/8/8/8/1RK5'), 'c1b1');
  assert.deepEqual(['b1', 'c1', 'd1'].map((name) => at(chess960, name)), ['', 'K', 'R']);
  const passing = moved(piecesOf('8/8/8/4Pp2/8/8/8/8'), 'e5f6');
  assert.deepEqual(['e5', 'f5', 'f6'].map((name) => at(passing, name)), ['', '', 'P']);
  assert.equal(at(moved(piecesOf('8/8/8/8/8/8/p7/8'), 'a2a1n'), 'a1'), 'n');
});

test('a label says what stands there and why the square is lit', () => {
  assert.equal(labels.squareLabel(45, 'n', 'capture'), 'f6, black knight, lit: you may capture here');
  speak('de', wordsOf('de'));
  assert.equal(labels.squareLabel(45, 'n', undefined), 'f6, schwarzer Springer');
  speak('en', wordsOf('en'));
});

test('a square that a piece has left is not called this piece', () => {
  assert.equal(labels.squareLabel(28, 'R', 'this_one', { inHand: true, isEmpty: true }), 'e4, white rook, in the hand, lit: the piece that stood here');
  const told = (/** @type {string} */ shown) => labels.lightWords(/** @type {any} */ (state({ placement: '4R3/8/8/8/4R3/8/8/8', shown, cues: { this_one: ['e4'] } })));
  assert.deepEqual(told('4R3/8/8/8/4R3/8/8/8'), ['e4: this piece']);
  assert.deepEqual(told('4R3/8/8/8/8/8/8/8'), ['e4: the piece that stood here']);
});

test('every square of every state has a piece, a light or nothing, and each light words', () => {
  for (const [name, one] of Object.entries(LIVE)) {
    for (const shown of squaresOf(/** @type {any} */ (one))) {
      assert.ok(!shown.cue || !labels.cueWords(shown.cue).startsWith('cue '), `${name}: ${shown.cue}`);
      assert.ok(!(shown.piece && shown.isUnknown), name);
    }
  }
});

test('a mark or a badge tells lights apart that are seen together', () => {
  const looks = (/** @type {string[]} */ names) => names.map((name) => `${labels.CUES[name]?.mark} ${labels.CUES[name]?.badge}`);
  for (const together of [
    ['quiet', 'capture', 'en_passant', 'castling', 'danger'],
    ['good', 'doubtful', 'losing'],
    ['repair_from', 'repair_to', 'missing', 'extra', 'reason_piece'],
    ['wanted', 'surplus', 'missing'],
    ['check', 'checker', 'last_move', 'last_move_provisional'],
    ['winners_king', 'losers_king', 'winners_half'],
  ]) {
    assert.equal(new Set(looks(together)).size, together.length, together.join(' '));
  }
});

const MOVES = ['e4 e2e4', 'e5 e7e5', 'Nf3 g1f3', 'Nc6 b8c6'].map((words) => words.split(' '));

test('each move is read aloud once: when it comes, and not again when it is final', () => {
  let now = /** @type {any} */ (state());
  /** @type {string[]} */
  const said = [];
  const tell = (/** @type {any} */ ...events) => {
    const delta = { seq: now.seq + 1, e: events, set: {} };
    const after = /** @type {any} */ (fold(now, delta));
    const words = labels.announcement(now, after, [delta]);
    if (words) said.push(words);
    now = after;
  };
  MOVES.forEach(([san, uci], at) => {
    tell({ event: 'lift', square: uci?.slice(0, 2) });
    tell({ event: 'move', ply: at + 1, uci, san, provisional: true });
    tell({ event: 'final', ply: at + 1, uci });
  });
  assert.equal(said.length, MOVES.length);
  MOVES.forEach(([san], at) => assert.ok(said[at]?.includes(`${san},`), said[at]));
  tell({ event: 'move', ply: 4, uci: 'b8c6', san: 'Nc6', provisional: false });
  assert.equal(said.length, MOVES.length, 'the same move once more is no news');
  tell({ event: 'amend', ply: 4, uci: 'd7d6', san: 'd6' });
  assert.ok(said.at(-1)?.includes('d6'));
});

test('what stays nowhere on the page is told once', () => {
  const [now, told] = [/** @type {any} */ (state()), (/** @type {any} */ ...e) => [{ seq: 2, e, set: {} }]];
  const refused = told({ event: 'offer' }, { event: 'notice', text: 'the opponent does not want a draw' }, { event: 'lift', square: 'e2' });
  const [offered, notice, ...more] = labels.passing({ ...now, opponent: { name: 'x', side: 'b' } }, refused);
  assert.deepEqual([notice?.lang, more], [undefined, []], 'it is in the language of the page');
  const notices = [{ text: 'engine x has ended' }, { text: 'That is all.', also: { de: { text: 'Das ist alles.' } } }];
  const words = () => labels.passing(now, told(...notices.map((one) => ({ event: 'notice', ...one })))).map((one) => [one.words, one.lang]);
  assert.deepEqual(words(), [['engine x has ended', undefined], ['That is all.', undefined]]);
  speak('de', wordsOf('de'));
  assert.deepEqual(words(), [['engine x has ended', 'en'], ['Das ist alles.', undefined]], 'what is English on another page says so');
  speak('en', wordsOf('en'));
  assert.equal(labels.announcement(now, now, refused), '', 'it is read where it is shown');
  assert.notDeepEqual(labels.passing(now, refused)[0], offered, 'between two people the other one may accept');
  const claims = [{ kind: '', awaits_move: true }, { kind: '', awaits_move: false }, { kind: 'threefold_repetition', awaits_move: false }];
  const [awaits, wrong, right] = claims.map((claim) => labels.passing(now, told({ event: 'claim', plies: [], quiet: 3, ...claim })));
  assert.notDeepEqual(awaits, wrong);
  assert.deepEqual(right, [], 'it ends the game, which is said');
});

test('the squares of a light are named, and those of half a board are not', () => {
  const squares = [...'abcdefgh'].flatMap((file) => ['1', '2', '3', '4'].map((rank) => file + rank));
  const told = (/** @type {object} */ cues) => labels.lightWords(/** @type {any} */ (state({ cues })));
  const [king, half, ...more] = told({ winners_king: ['e8'], winners_half: squares });
  assert.deepEqual(more, []);
  assert.match(String(king), /^e8: the king/);
  assert.doesNotMatch(String(half), /[a-h]\d/);
  for (const square of squares) assert.ok(told({ quiet: squares })[0]?.includes(square), 'where a queen may go is not left out');
});

test('a clock counts down from what the server sent, and only where it runs', () => {
  const clock = /** @type {const} */ ({ w: 61_000, b: 9_400, runs: 'b', at: 0 });
  assert.equal(labels.leftMs(clock, 'w', 5_000), 61_000);
  assert.equal(labels.leftMs(clock, 'b', 5_000), 4_400);
  assert.equal(labels.leftMs(clock, 'b', 50_000), 0);
  assert.deepEqual([5_400_000, 299_000, 298_001, 9_400, 1].map(labels.clockText), ['1:30:00', '4:59', '4:59', '9.4', '0.1']);
});

test('moves are numbered from where the game began', () => {
  const black = { ...state().game, start_fen: '8/8/8/8/8/8/8/8 b - - 0 17' };
  assert.deepEqual(labels.plyNumber(black, 0), { move: 17, isWhite: false });
  assert.deepEqual(labels.plyNumber(black, 1), { move: 18, isWhite: true });
});

test('every text that a page asks for is in the table, in both languages with the same gaps', () => {
  const gaps = (/** @type {string} */ words) => (words.match(/\{\d\}/g) ?? []).sort().join();
  for (const [key, [english, german]] of Object.entries(TEXTS)) {
    assert.ok(english && german, key);
    assert.equal(gaps(english), gaps(german), key);
  }
  for (const name of readdirSync(PAGES).filter((file) => file.endsWith('.js'))) {
    const source = readFileSync(join(PAGES, name), 'utf8');
    for (const [, key] of source.matchAll(/\btext\('([^']+)'/g)) assert.ok(hasText(key ?? ''), `${name}: ${key}`);
  }
  assert.equal(text('back with', 3), 'Connected, 3 moves caught up.');
});

test('a script is made of lines that mean the same without their indents', () => {
  // The server sends scripts without comments and indents: no text may go on over the end of a line.
  for (const name of readdirSync(PAGES).filter((file) => file.endsWith('.js'))) {
    readFileSync(join(PAGES, name), 'utf8').split('\n').forEach((line, at) => {
      const isComment = /^\s*(\/\/|\/?\*)/.test(line);
      if (!isComment) assert.equal((line.match(/`/g) ?? []).length % 2, 0, `${name}:${at + 1}`);
    });
  }
});

test('no page makes elements of text', () => {
  for (const name of readdirSync(PAGES).filter((file) => file.endsWith('.js'))) {
    const source = readFileSync(join(PAGES, name), 'utf8');
    assert.doesNotMatch(source, /innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function/, name);
  }
});

/** A clock, timers and sockets that obey the test. */
function pretended() {
  let now = 0;
  let id = 0;
  /** @type {Map<number, {at: number, act: () => void}>} */
  const timers = new Map();
  /** @type {any[]} */
  const sockets = [];
  const surroundings = {
    open: (/** @type {string} */ url) => {
      const socket = { url, isOpen: true, close: () => (socket.isOpen = false), onmessage: /** @type {any} */ (null), onclose: /** @type {any} */ (null) };
      sockets.push(socket);
      return /** @type {any} */ (socket);
    },
    now: () => now,
    chance: () => 1,
    later: (/** @type {() => void} */ act, /** @type {number} */ ms) => (timers.set(++id, { at: now + ms, act }), id),
    forget: (/** @type {number} */ timer) => void timers.delete(timer),
  };
  const pass = (/** @type {number} */ ms) => {
    const end = now + ms;
    for (;;) {
      const due = [...timers].filter(([, timer]) => timer.at <= end).sort(([, a], [, b]) => a.at - b.at)[0];
      if (!due) break;
      timers.delete(due[0]);
      now = Math.max(now, due[1].at);
      due[1].act();
    }
    now = end;
  };
  const hear = (/** @type {object} */ message) => sockets.at(-1).onmessage({ data: JSON.stringify(message) });
  const close = (code = 1006) => sockets.at(-1).onclose({ code });
  return { surroundings, sockets, pass, hear, close };
}

/** @param {ReturnType<typeof pretended>} world */
function listening(world) {
  /** @type {string[]} */
  const conditions = [];
  /** @type {any[]} */
  const states = [];
  let refused = 0;
  const feed = new Feed(
    'ws://board/stream',
    { onState: (one) => states.push(one), onConnection: (one) => conditions.push(one), onRefused: () => refused++ },
    world.surroundings,
  );
  feed.start();
  return { feed, conditions, states, refused: () => refused };
}

test('a stream that falls silent is old after two missed beats, dead soon after, and opened again from where it was', () => {
  const world = pretended();
  const { conditions } = listening(world);
  world.hear({ snapshot: state({ seq: 7 }), t: 0 });
  world.pass(5_000);
  world.hear({ beat: 5_000 });
  world.pass(10_000);
  assert.deepEqual(conditions, ['live']);
  world.pass(1_000);
  assert.deepEqual(conditions, ['live', 'stale']);
  world.pass(3_000);
  assert.equal(world.sockets.length, 2);
  assert.match(world.sockets[1].url, /since=k3f0c2p%3A7$/);
  world.hear({ deltas: [], t: 19_000 });
  assert.deepEqual(conditions, ['live', 'stale', 'live']);
});

test('a board that is away is asked again for ever: at first soon, later every 15 s', () => {
  const world = pretended();
  const { conditions } = listening(world);
  world.hear({ snapshot: state(), t: 0 });
  let lost = 0;
  for (let times = 0; times < 100; times++) {
    world.close();
    let waited = 0;
    for (; world.sockets.length === times + 1; waited += 100) world.pass(100);
    assert.ok(waited <= (lost < 60_000 ? 1_600 : 15_100), `${waited} after ${lost}`);
    lost += waited;
  }
  assert.ok(lost > 400_000, `${lost}`); // it has become less often
  assert.deepEqual(conditions, ['live', 'stale']);
});

test('a gap in the deltas asks for a snapshot, and a delta that was heard before changes nothing', () => {
  const world = pretended();
  const { states } = listening(world);
  world.hear({ snapshot: state({ seq: 7 }), t: 0 });
  world.hear({ deltas: [{ seq: 7, e: [], set: { phase: 'over' } }], t: 1 });
  assert.equal(states.length, 1);
  world.hear({ deltas: [{ seq: 9, e: [], set: {} }], t: 2 });
  assert.equal(world.sockets.length, 2);
  assert.match(world.sockets[1].url, /since=-%3A7$/);
  assert.equal(world.sockets[0].isOpen, false);
});

test('whoever wakes opens another socket at once, and only one', () => {
  const world = pretended();
  const { feed } = listening(world);
  world.hear({ snapshot: state(), t: 0 });
  world.pass(100); // the network was lost right after that
  feed.wake();
  assert.equal(world.sockets.length, 2);
  assert.equal(world.sockets[0].isOpen, false);
  assert.match(world.sockets[1].url, /since=k3f0c2p%3A100$/);
  world.pass(300);
  feed.wake(); // the browser says several times that it is back
  assert.equal(world.sockets.length, 2);
  world.pass(800); // that one found nobody either
  feed.wake();
  assert.equal(world.sockets.length, 3);
});

test('a hidden page stops listening after a minute, and listens again when it is seen', () => {
  const world = pretended();
  const { feed } = listening(world);
  world.hear({ snapshot: state(), t: 0 });
  feed.hide();
  for (let beat = 0; beat < 11; beat++) {
    world.pass(5_000);
    world.hear({ beat: 0 });
  }
  world.pass(6_000);
  assert.equal(feed.socket, null);
  feed.wake();
  assert.equal(world.sockets.length, 2);
});

test('a session that has ended is asked about, and a refused page stays quiet', () => {
  const world = pretended();
  const { feed, conditions, refused } = listening(world);
  world.hear({ snapshot: state(), t: 0 });
  world.close(4401);
  assert.equal(refused(), 1);
  feed.refuse();
  world.pass(60_000);
  assert.equal(world.sockets.length, 1);
  assert.equal(conditions.at(-1), 'refused');
});

test('the clock of the board is known by its messages', () => {
  const world = pretended();
  const { feed } = listening(world);
  world.pass(1_000);
  world.hear({ snapshot: state({ clock: { w: 60_000, b: 60_000, runs: 'w', at: 500_000 } }), t: 500_200 });
  world.pass(800);
  assert.equal(feed.clockAgeMs(), 1_000);
});

test('the states of the tests are states', () => {
  for (const one of Object.values(LIVE)) {
    assert.equal(one.occ.length, 16);
    assert.ok(Array.isArray(one.game.plies));
  }
  assert.equal(plies('e4 e2e4').length, 1);
});
