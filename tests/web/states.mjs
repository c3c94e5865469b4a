// States of a board as its server tells them, for pages that are looked at without a board.

export const START = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR';
export const USUAL = `${START} w KQkq - 0 1`;

/** The occupancy of a placement, as 16 hex digits. @param {string} placement */
export function occupancy(placement) {
  let bits = 0n;
  placement.split('/').forEach((row, number) => {
    let file = 0;
    for (const letter of row) {
      if (letter >= '1' && letter <= '8') file += Number(letter);
      else bits |= 1n << BigInt((7 - number) * 8 + file++);
    }
  });
  return bits.toString(16).padStart(16, '0');
}

/** @param {Record<string, unknown>} [changes] @returns {Record<string, any>} */
export function state(changes = {}) {
  const placement = String(changes.placement ?? START);
  const shown = changes.simulated === false ? null : (changes.shown ?? placement);
  return {
    v: 1, board: 'b7', boot: 'k3f0c2p', seq: 100, role: 'owner', simulated: true, mono: false, rated: false, turned: false,
    phase: 'play', turn: 'w',
    game: { id: null, start_fen: USUAL, tags: { White: 'Ann', Black: 'Bob' }, plies: [], result: '*', termination: '' },
    history: [], occ: occupancy(String(shown ?? changes.stands ?? placement)), placement, shown, hand: [], box: '', cues: {}, lights: null,
    clock: null, check: null, ask: null, choosing: null, mismatch: null, setup: null, stuck: [], blind: [], late: [],
    doubt: null, unwritten: '', opponent: null, lesson: null, health: 'ok',
    ...changes,
  };
}

/** @param {string} text SAN and UCI by turns @param {string} [last] what the last ply is */
export function plies(text, last = 'f') {
  const words = text.split(' ');
  /** @type {[string, string, string, number | null][]} */
  const found = [];
  for (let at = 0; at < words.length; at += 2) found.push([words[at + 1] ?? '', words[at] ?? '', 'f', null]);
  if (found.length) /** @type {any} */ (found[found.length - 1])[2] = last;
  return found;
}

const SPANISH = 'e4 e2e4 e5 e7e5 Nf3 g1f3 Nc6 b8c6 Bb5 f1b5';
const OPENED = 'r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R';
const game = (/** @type {string} */ moves, last = 'f', more = {}) => ({ ...state().game, plies: plies(moves, last), ...more });

/** Every state of the live page that looks different, by name. @type {Record<string, Record<string, any>>} */
export const LIVE = {
  start: state({ phase: 'play' }),
  hand: state({
    placement: OPENED, shown: OPENED.replace('1B2p3', '4p3'), hand: [['B', 'b5']], turn: 'w', game: game(`${SPANISH} a6 a7a6`),
    cues: { capture: ['c6'], quiet: ['a4', 'c4', 'd3', 'e2', 'f1'], danger: ['a6'] },
    clock: { w: 298_000, b: 287_400, runs: 'w', at: 0 },
  }),
  moved: state({
    placement: OPENED, turn: 'b', game: game(SPANISH, 'p'), history: [[5, 'f1c4', 'Bc4'], [3, 'd2d4', 'd4']],
    cues: { last_move_provisional: ['f1', 'b5'] }, clock: { w: 300_000, b: 9_400, runs: 'b', at: 0 },
  }),
  demo: state({ placement: OPENED, turn: 'b', game: game(SPANISH), demo: true, cues: { last_move: ['f1', 'b5'] } }),
  check: state({
    placement: 'rnbqkbnr/ppp2ppp/3p4/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R', turn: 'b', check: 'e8', simulated: false,
    game: game('e4 e2e4 e5 e7e5 Nf3 g1f3 d6 d7d6 Bb5+ f1b5'), cues: { check: ['e8'], checker: ['b5'], last_move: ['f1'] },
  }),
  mismatch: state({
    placement: 'rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR', simulated: false, stands: 'rnbqkbnr/pppp1ppp/8/4p3/4P3/7P/PPPP1PPP/RNBQKB1R',
    game: game('e4 e2e4 e5 e7e5'), cues: { repair_from: ['h3'], repair_to: ['g1'] },
    mismatch: { missing: ['g1'], extra: ['h3'], repair: [['h3', 'g1']], why: 'A knight does not move like that.', also: { de: { why: 'so zieht diese Figur nicht (Springer)' } } },
  }),
  ask: state({
    placement: 'rnbqkbnr/ppp1p1pp/8/3P1p2/8/8/PPPP1PPP/RNBQKBNR', turn: 'b', game: game('e4 e2e4 d5 d7d5 Nc3 b1c3 f5 f7f5 exd5 e4d5', 'p'),
    ask: [{ n: 1, uci: 'e4d5', san: 'exd5', squares: ['d5'] }, { n: 2, uci: 'e4f5', san: 'exf5', squares: ['f5'] }],
    cues: { candidate: ['d5', 'f5'] },
  }),
  promotion: state({
    placement: '1Q4k1/5ppp/8/8/8/8/5PPP/6K1', turn: 'b', choosing: { square: 'b8', piece: 'q', then: 'n' }, box: 'RRNNQpp',
    game: game('b8=Q+ b7b8q', 'p', { start_fen: '6k1/1P3ppp/8/8/8/8/5PPP/6K1 w - - 0 1' }), check: 'g8', cues: { letter: ['c8', 'd8', 'e8', 'f8'] },
  }),
  setup: state({
    phase: 'setup', placement: START, shown: '4k3/8/8/8/4P3/8/8/4K3', box: 'QRRBBNNPPPPPPPqrrbbnnpppppppp',
    setup: { wanted: ['d1'], surplus: ['e4'], next: 'Q', next_squares: ['d1'], problems: [] }, cues: { wanted: ['d1'], surplus: ['e4'] },
  }),
  over: state({
    phase: 'over', turn: 'b', placement: 'r1bqkb1r/pppp1Qpp/2n2n2/4p3/2B1P3/8/PPPP1PPP/RNB1K1NR',
    game: game('e4 e2e4 e5 e7e5 Bc4 f1c4 Nc6 b8c6 Qh5 d1h5 Nf6 g8f6 Qxf7# h5f7', 'f', { id: 12, result: '1-0', termination: 'checkmate', can_look_back: true }),
    cues: { winners_king: ['e1'], losers_king: ['e8'] }, check: 'e8',
  }),
  mono: state({
    placement: 'r3k2r/pppq1ppp/2npbn2/2b1p3/2B1P3/2NPBN2/PPPQ1PPP/R3K2R', shown: 'r3k2r/pppq1ppp/2npbn2/2b1p3/2B1P3/2NPBN2/PPPQ1PPP/R6R',
    mono: true, hand: [['K', 'e1']], cues: { castling: ['c1', 'g1'], quiet: ['d1', 'e2', 'f1'], attacker: ['b4'], good: ['a4'], losing: ['h4'], doubtful: ['g4'] },
  }),
  dead: state({ simulated: false, stuck: ['c4'], blind: ['a7', 'b7'], late: ['Scans come late: close other programs.'], cues: { stuck: ['c4'], blind: ['a7', 'b7'] } }),
  engine: state({
    opponent: { name: 'stockfish, level 3', side: 'b', owed: 'e7e5', owed_san: 'e5', thinking: false }, turn: 'b', placement: 'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR',
    game: game('e4 e2e4'), cues: { this_one: ['e7'], put_here: ['e5'] }, doubt: 'This loses a pawn.',
  }),
  lesson: state({
    placement: '4k3/8/4p3/8/4R3/8/8/4K3', cues: { this_one: ['e4'], star_0: ['e5', 'h4'] },
    box: 'QRBNPPqrbnpp', lesson: { title: 'The rook', text: 'White rook on e4: capture every star.', say: 'Not there: the pawn on e6 blocks the path.', hints_left: 2, done: 1, of: 4, step: 'asked', trouble: '',
      also: { de: { title: 'Der Turm', text: 'Weißer Turm auf e4: schlag jeden Stern.', say: 'Nicht dorthin: der Bauer auf e6 steht im Weg.' } },
    },
  }),
  review: state({
    placement: OPENED, shown: OPENED, cues: { this_one: ['a7'], put_here: ['a6'] }, turn: 'b',
    lesson: { title: '', text: 'This was played. Black plays a7a6: follow the lights.', say: '', hints_left: 3, done: 0, of: 0, step: 'asked', trouble: '' },
  }),
  spectator: state({ role: 'spectator', cues: null, rated: true, game: game(SPANISH), placement: OPENED, turn: 'b' }),
};

const HOSTILE = '<img src=x onerror=alert(1)>';
const kept = Array.from({ length: 30 }, (_, at) => ({
  id: 60 - at, white: at === 3 ? HOSTILE : ['Ann', 'Carla', 'Grandmother Wilhelmina'][at % 3], black: ['Bob', 'Dmitri', 'stockfish, level 3'][at % 3],
  date: at % 7 ? `2026.03.${String(30 - at).padStart(2, '0')}` : '????.??.??', result: ['1-0', '0-1', '1/2-1/2', '*'][at % 4], plies: 20 + 3 * at,
  opening: ['Ruy Lopez', 'Sicilian Defence, Najdorf Variation', ''][at % 3], termination: '',
}));
const SESSIONS = [
  { id: 1, name: 'Chrome, Linux', role: 'owner', last: 1764000000000, mine: true },
  { id: 2, name: 'Firefox, Android', role: 'player', last: 1763900000000, mine: false },
];
export const OWNER = { role: 'owner', name: 'Chrome, Linux', board: 'b7', claimed: true, can_knock: true, lang: 'en', sessions: SESSIONS };
const switches = Object.fromEntries(
  Array.from({ length: 64 }, (_, at) => [
    `${'abcdefgh'[at & 7]}${(at >> 3) + 1}`,
    { touches: 40 + ((at * 37) % 160), bounce_us: 300 + 10 * at, longest_bounce_us: 900 + 55 * ((at * 13) % 29), short: at === 27 ? 14 : (at * 7) % 3, stuck: at === 13, verdict: at === 27 ? 'lets go; magnet weak or off centre' : 'good' },
  ]),
);

/** Pages and their states: the path, what the API says, and who asks. */
/** @type {Record<string, {path: string, answers: Record<string, unknown>, live?: Record<string, any>}>} */
export const PAGES_OF = {
  new: { path: '/new', answers: { 'GET /setup': { levels: [{ number: 1, name: 'level 1: a beginner' }, { number: 2, name: 'level 2' }], clocks: ['none', '3+2', '15+10'], opponents: ['stockfish', 'own'], help: [1, 2], white: 'Ann', black: '?', rated: false } } },
  'new undated': { path: '/new', answers: { 'GET /setup': { levels: [], clocks: ['none'], opponents: [], help: [1, 1], white: '?', black: '?', rated: true, asks_date: true } } },
  'new forbidden': { path: '/new', answers: { 'GET /session': { ...OWNER, role: 'spectator' } } },
  games: { path: '/games', answers: { 'GET /games': { games: kept, total: 64 } } },
  'games empty': { path: '/games', answers: { 'GET /games': { games: [], total: 0 } } },
  'games error': { path: '/games', answers: { 'GET /games': 500 } },
  'games forbidden': { path: '/games', answers: { 'GET /games': 401 } },
  game: {
    path: '/games/12#7',
    answers: {
      'GET /games/12': {
        id: 12, start_fen: USUAL, tags: { Event: 'Club evening', White: 'Ann', Black: 'Bob', Date: '2026.03.01', Result: '1-0' }, result: '1-0',
        plies: plies('e4 e2e4 e5 e7e5 Bc4 f1c4 Nc6 b8c6 Qh5 d1h5 Nf6 g8f6 Qxf7# h5f7'), history: [[5, 'd1g4', 'Qg4']],
        comments: { 7: `Scholar's mate. ${HOSTILE}` },
      },
      'GET /games/12/explain/7': { text: 'h5 opened at 12.30 s\nf7 opened at 12.84 s\nf7 closed at 13.02 s: Qxf7# explains all three.' },
    },
  },
  'game gone': { path: '/games/99', answers: {} },
  learn: {
    path: '/learn',
    answers: {
      'GET /learn': {
        courses: [
          {
            id: 'course',
            title: 'Lessons',
            lessons: [
              { id: 'a', title: 'The squares', goal: 'Every square has a name.', done: 1, passed: true, gold: true, open: true, also: { de: { title: 'Die Felder', goal: 'Jedes Feld hat einen Namen.' } } },
              { id: 'b', title: 'The rook', goal: 'The rook moves straight.', done: 0.4, passed: false, gold: false, open: true, also: { de: { title: 'Der Turm', goal: 'Der Turm zieht gerade.' } } },
              { id: 'c', title: 'The bishop', goal: 'The bishop moves diagonally.', done: 0, passed: false, gold: false, open: false },
            ],
          },
        ],
        due: 3,
        next: 'b',
        profile: 'guest',
        profiles: ['guest', 'Ann', 'Bob'],
      },
    },
  },
  'learn none': { path: '/learn', answers: {} },
  board: { path: '/board', answers: { 'GET /board/health': { squares: switches, scan_hz: 500, bus_errors: { 'expander 0x20 does not answer': 2 }, notes: [] }, 'POST /board/doctor': { text: 'bus: fine\nswitches: f2 does not move' } } },
  settings: {
    path: '/settings',
    answers: {
      'GET /links': { links: [{ id: 3, name: 'Club evening', delay_plies: 12, since: 1764000000000, watching: 4 }] },
      'GET /settings': {
        settings: [
          { key: 'help.white.level', value: 1, kind: 'number', choices: [], min: 0, max: 4, says: 'a whole number from 0 to 4', needs_restart: false },
          { key: 'tags.white', value: 'Ann', kind: 'text', choices: [], min: null, max: null, says: 'one line', needs_restart: false },
          { key: 'lights.brightness', value: 0.8, kind: 'number', choices: [], min: 0, max: 1, says: '0 to 1', needs_restart: true },
          { key: 'lights.mono', value: false, kind: 'bool', choices: [], min: null, max: null, says: '', needs_restart: true },
        ],
      },
    },
  },
  kiosk: { path: '/kiosk', answers: {}, live: LIVE.check },
  pair: { path: '/pair', answers: { 'GET /session': { ...OWNER, role: null, claimed: false, sessions: [] }, 'POST /pair/knock': { squares: ['c3', 'f6', 'a2', 'h5'], until: 120000 }, 'GET /pair/knock': { state: 'waiting', seen: 2, left_ms: 90000, tries_left: 3 } } },
  'pair claimed': { path: '/pair', answers: { 'GET /session': { ...OWNER, role: null, can_knock: false, sessions: [] } } },
  'pair done': { path: '/pair', answers: {} },
};
