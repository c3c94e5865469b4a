// The live page: the board as it is now, its moves and clocks, and what the board asks. On a real board the
// page never moves a piece; on a simulated one it is the hand.

import { Board, pieceDrawing, squaresOf } from './board.js';
import { fill, h, say, show } from './dom.js';
import { askWords, clockText, handWords, lastMoveWords, leftMs, lightWords, mismatchWords, pieceName, situation } from './labels.js';
import { newId, post } from './server.js';
import { occupiedOf, squareOf } from './state.js';
import { ACTORS, follow, holdButton, moveRows, pgnLink, Strips } from './table.js';
import { list, spoken, text } from './texts.js';

/** @typedef {import('./types.js').Snapshot} Snapshot */
/** @typedef {import('./app.js').App} App */

const STILL_KEY = 'boardfw still';
const TURNED_KEY = 'boardfw turned';

/** In this order put-backs choose, again and again. */
const PROMOTIONS = 'qnrb';
/** Between two touches of a simulated hand: quicker than this the switch would take one for a tremble. */
const TOUCH_MS = 300;
/** A board that is busy sees a touch late; it is waited for so long. */
const LATEST_MS = 3000;

/** Which roles decide about a game. */
const RULERS = ['arbiter', 'owner'];

/** @param {App} app */
export function start(app) {
  new LivePage(app).begin();
}

class LivePage {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    /** @type {Snapshot | null} */
    this.state = null;
    /** @type {import('./server.js').Feed | null} */
    this.feed = null;
    /** @type {HTMLElement | null} */
    this.bar = null;
    /** Whether Black is at the bottom by our own wish. */
    this.isTurned = localStorage.getItem(TURNED_KEY) === '1';
    /** Commands go one after the other, in the order in which they were given. */
    this.queue = Promise.resolve();
    /** What a pawn is to become, while it is put back until it is that; empty: nothing is chosen. */
    this.wanted = '';
    this.strips = new Strips();
    this.board = new Board({
      name: text('board label'),
      onSquare: (square) => this.#choose(square),
      onBack: () => this.#hand({ back: true }),
      onCommand: (letter) => this.#tell(letter),
    });
    this.tray = h('div', { class: 'tray' });
    this.cards = h('div', { class: 'cards' });
    this.moves = h('ol', { class: 'moves', tabIndex: 0, 'aria-label': text('moves') });
    this.legend = h('ul', { class: 'legend' });
    this.buttons = this.#actions();
    this.isShown = false;
    /** Whether the pieces beside the board are shown in a lesson. */
    this.isBoxOpen = false;
    /** What each part showed last: it is made anew only when that has changed. */
    /** @type {Map<string, string>} */
    this.drawn = new Map();
  }

  begin() {
    this.app.showLoading(text('connecting'));
    const { feed, bar } = follow(this.app, (state) => this.#draw(state));
    this.feed = feed;
    this.bar = bar;
    document.body.classList.toggle('still', localStorage.getItem(STILL_KEY) === '1');
  }

  #layout() {
    const table = h('section', { class: 'table' }, this.strips.top.element, this.board.element, this.strips.bottom.element, this.tray);
    const side = h(
      'section',
      { class: 'side' },
      this.cards,
      h('h2', {}, text('moves')),
      this.moves,
      this.buttons.element,
      h('details', { class: 'fold', open: true }, h('summary', {}, text('lights say')), this.legend),
      h('details', { class: 'fold' }, h('summary', {}, text('keys')), keyList()),
    );
    this.app.show(this.bar, h('div', { class: 'live' }, table, side));
    this.isShown = true;
  }

  /** @param {Snapshot} state */
  #draw(state) {
    if (!this.isShown) this.#layout();
    this.state = state;
    const words = situation(state);
    const isQuiet = Boolean(state.check) && state.game.result === '*';
    this.app.setHeading(isQuiet ? `${words} · ${text('check')}` : words);
    const isTurned = this.isTurned;
    this.board.show(squaresOf(state), { isTurned, isMono: Boolean(state.mono) });
    this.strips.show(state, isTurned, () => this.feed?.clockAgeMs() ?? 0);
    this.#part('moves', [state.game, state.history], () => this.#drawMoves(state));
    this.#part('tray', [state.hand, state.box, state.role, state.placement, this.#mayAct(), state.phase, state.to_go, state.setup?.helped, Boolean(state.lesson)], () => this.#drawTray(state));
    this.#part('cards', cardKey(state), () => fill(this.cards, this.#cardsOf(state)));
    this.#part('legend', [state.cues, state.occ, state.stuck, state.blind], () => {
      const lines = lightWords(state);
      fill(this.legend, lines.length ? lines.map((line) => h('li', {}, line)) : h('li', {}, text('dark board')));
    });
    this.buttons.show(state, this.#mayAct());
  }

  /** @param {string} name @param {unknown} shown @param {() => void} draw */
  #part(name, shown, draw) {
    const key = JSON.stringify(shown) ?? '';
    if (this.drawn.get(name) === key) return;
    this.drawn.set(name, key);
    draw();
  }

  #mayAct() {
    return ACTORS.includes(this.state?.role ?? '');
  }

  /** @param {Snapshot} state */
  #drawMoves(state) {
    const { plies } = state.game;
    const rows = moveRows(state.game, state.history ?? [], (ply, san, kind) => {
      const isLast = ply === plies.length - 1;
      const mark = isLast ? 'move now' : 'move';
      return kind.includes('p')
        ? h('em', { class: `${mark} provisional`, title: text('provisional title') }, `${san}?`)
        : h('span', { class: mark }, san);
    });
    fill(this.moves, rows.length ? rows : h('li', { class: 'none' }, text('no move yet')));
    this.moves.scrollTop = this.moves.scrollHeight;
  }

  /** @param {Snapshot} state */
  #drawTray(state) {
    const parts = [];
    const isHand = state.simulated && this.#mayAct();
    if (state.hand.length) {
      const held = state.hand.map(([letter]) => pieceDrawing(letter));
      if (state.to_go && isHand) parts.push(h('p', { class: 'tip' }, text('hands place', state.to_go)));
      parts.push(h('p', { class: 'held' }, held, h('span', {}, handWords(state))));
      // What simulated hands hold they put down themselves.
      if (isHand && !state.to_go) {
        const button = (/** @type {string} */ name, /** @type {object} */ act) =>
          h('button', { type: 'button', class: 'small', onclick: () => this.#hand(act) }, text(name));
        parts.push(button('put it back', { back: true }), button('into box', { drop: 'box' }));
      }
    } else {
      parts.push(h('p', { class: 'tip' }, this.#tip(state)));
    }
    if (isHand && state.box) {
      const counts = new Map();
      for (const letter of state.box) counts.set(letter, (counts.get(letter) ?? 0) + 1);
      const box = [...counts].map(([letter, count]) =>
        h(
          'button',
          { type: 'button', class: 'boxed', 'aria-label': text('take piece', pieceName(letter)) + (count > 1 ? `, ${count}` : ''), onclick: () => this.#hand({ take: letter }) },
          pieceDrawing(letter),
          count > 1 ? h('span', {}, count) : null,
        ),
      );
      const beside = h('div', { class: 'box', role: 'group', 'aria-label': text('beside') }, box);
      parts.push(state.lesson ? this.#folded(beside) : beside);
    }
    fill(this.tray, parts);
  }

  /** What can be done with an empty hand. @param {Snapshot} state */
  #tip(state) {
    if (!this.#mayAct()) return text('watching');
    if (state.to_go) return text('hands place', state.to_go);
    if (state.phase === 'over' && !state.lesson) return text('over tip');
    return text(state.simulated ? 'simulated' : 'hands only');
  }

  /** The pieces beside the board in a lesson: what it asks has to be in sight, and most need none of them. @param {HTMLElement} beside */
  #folded(beside) {
    const fold = h('details', { class: 'fold', open: this.isBoxOpen, ontoggle: () => (this.isBoxOpen = fold.open) }, h('summary', {}, text('beside')), beside);
    return fold;
  }

  /** What the board asks or says, the most urgent first. @param {Snapshot} state */
  #cardsOf(state) {
    /** @type {Node[]} */
    const cards = [];
    const add = (/** @type {string} */ kind, /** @type {string} */ heading, /** @type {(Node | string | null)[]} */ ...more) =>
      cards.push(h('section', { class: `card ${kind}` }, h('h2', {}, heading), more));
    const byHands = (/** @type {string} */ name, act = /** @type {object} */ ({ set_up: true })) => h('p', {}, h('button', { type: 'button', onclick: () => this.#hand(act) }, text(name)));
    const isHand = state.simulated && this.#mayAct();
    if (state.demo && isHand && !state.lesson) add('setup', text('demo'), h('p', {}, text('demo how')), byHands('demo end', { end_demo: true }));
    if (state.phase === 'over' && !state.lesson && this.#mayAct()) add('over', situation(state), this.#afterwards(state));
    if (state.unwritten) add('trouble', state.unwritten);
    if (state.blind?.length) add('trouble', text('blind', list(state.blind)));
    if (state.mismatch) add('trouble', text('differ heading'), ...mismatchWords(state).map((words) => h('p', {}, words)), isHand && !state.to_go ? byHands('put right for me') : null);
    if (state.ask?.length) {
      const answers = state.ask.map(({ n, san }) => this.#big(san, () => this.#press(`answer_${n}`)));
      // What a pawn became, no lift can tell.
      const isPromotion = new Set(state.ask.map(({ san }) => san.split('=')[0])).size === 1;
      const how = text(isPromotion ? 'ask piece how' : 'ask how');
      add('ask', askWords(state), h('p', {}, how), h('div', { class: 'choices' }, answers));
    }
    if (state.choosing) add('ask', text('chosen', text(`type ${state.choosing.piece}`)), this.#promotion(state.choosing));
    if (state.doubt) add('ask', text('doubt heading'), h('p', ...spoken(state, 'doubt')));
    if (state.setup) {
      const needsHelp = isHand && !state.setup.helped && !state.setup.problems?.length;
      add('setup', text('setting up'), needsHelp ? byHands('set up for me') : null, ...setupWords(state.setup).map((words) => h('p', {}, words)));
    }
    const { opponent } = state;
    if (opponent?.owed) add('setup', text(state.mismatch ? 'owed later' : state.simulated ? 'owed simulated' : 'owed', opponent.name, opponent.owed_san ?? opponent.owed));
    else if (opponent?.thinking) cards.push(h('p', { class: 'tip' }, text('thinks', opponent.name)));
    if (state.lesson) cards.push(state.lesson.title ? this.#lessonCard(state.lesson) : this.#reviewCard(state.lesson));
    // On a simulated board it says at most that time runs slower than was wished.
    for (const sentence of state.late ?? []) cards.push(h('p', { class: state.simulated ? 'tip' : 'card small', lang: 'en' }, sentence));
    if (state.stuck?.length) cards.push(h('p', { class: 'tip' }, text('stuck', list(state.stuck))));
    return cards;
  }

  /**
   * The pieces that a pawn may become. On a simulated board a button lifts the piece and puts it back as often as
   * hands would have to; on a real one the next piece is named.
   * @param {import('./types.js').Choosing} choosing
   */
  #promotion({ square, piece, then }) {
    if (!this.state?.simulated || !this.#mayAct()) return h('p', {}, text('chosen next', text(`type ${then}`)));
    const isWhite = this.state.turn === 'b';
    const buttons = [...PROMOTIONS].map((letter) => {
      const button = this.#big(text(`type ${letter}`), () => this.#promote(square, letter));
      button.setAttribute('aria-pressed', String(letter === piece));
      button.prepend(pieceDrawing(isWhite ? letter.toUpperCase() : letter));
      return button;
    });
    return h('div', { class: 'choices' }, buttons);
  }

  /** A button of a lesson. @param {string} name @param {string} path */
  #lessonButton(name, path) {
    return h('button', { type: 'button', disabled: !this.#mayAct(), onclick: () => this.#do(() => post(path, { id: newId(), seq: this.state?.seq })) }, text(name));
  }

  /** A turning point of the last game: its move is shown, so that there is nothing to solve and no hint. @param {import('./types.js').Lesson} lesson */
  #reviewCard(lesson) {
    return h(
      'section',
      { class: 'card lesson' },
      lesson.text ? h('h2', ...spoken(lesson, 'text')) : h('h2', {}, text('review setup')),
      lesson.say ? h('p', ...spoken(lesson, 'say')) : null,
      h('div', { class: 'row' }, this.#lessonButton('review next', '/learn/skip'), this.#lessonButton('review leave', '/learn/leave')),
    );
  }

  /** @param {import('./types.js').Lesson} lesson */
  #lessonCard(lesson) {
    const heading = { setup: text('lesson setup'), solved: text('lesson solved'), asked: '' }[lesson.step];
    return h(
      'section',
      { class: 'card lesson' },
      heading ? h('h2', {}, heading) : h('h2', ...spoken(lesson, 'text')),
      lesson.say ? h('p', ...spoken(lesson, 'say')) : null,
      lesson.trouble ? h('p', { class: 'alert', lang: 'en' }, lesson.trouble) : null,
      lesson.of ? h('p', { class: 'tip' }, text('lesson of', lesson.done, lesson.of)) : null,
      lesson.step === 'asked' ? h('p', { class: 'tip' }, text('lesson hints', lesson.hints_left)) : null,
      h('div', { class: 'row' }, this.#lessonButton('lesson hint', '/table/hint'), this.#lessonButton('lesson skip', '/learn/skip'), this.#lessonButton('lesson again', '/learn/again'), this.#lessonButton('lesson leave', '/learn/leave')),
    );
  }

  /** What can be done with a game that is over. @param {Snapshot} state */
  #afterwards(state) {
    const { id, can_look_back } = state.game;
    const kept = id ? [h('a', { class: 'button', href: `/games/${id}` }, text('over replay')), pgnLink(id)] : [];
    const words = text(isLookedBack(state) ? 'over give up' : 'over turns');
    const turns = h('button', { type: 'button', onclick: () => this.#press('hint') }, words);
    return h('div', { class: 'row' }, kept, can_look_back ? turns : null);
  }

  /** @param {string} words @param {() => void} act */
  #big(words, act) {
    return h('button', { type: 'button', class: 'big', disabled: !this.#mayAct(), onclick: act }, words);
  }

  #actions() {
    const press = (/** @type {string} */ name) => () => this.#press(name);
    const still = h('button', { type: 'button', onclick: () => flip() });
    const flip = () => {
      const isStill = document.body.classList.toggle('still');
      localStorage.setItem(STILL_KEY, isStill ? '1' : '');
      say(still, text(isStill ? 'moving' : 'still'));
    };
    say(still, text(localStorage.getItem(STILL_KEY) === '1' ? 'moving' : 'still'));
    const turn = () => {
      this.isTurned = !this.isTurned;
      localStorage.setItem(TURNED_KEY, this.isTurned ? '1' : '');
      if (this.state) this.#draw(this.state);
    };
    const button = (/** @type {string} */ name, /** @type {() => void} */ act) =>
      h('button', { type: 'button', onclick: act }, text(name));
    const play = [button('take back', press('take_back')), button('hint', press('hint'))];
    const pause = button('pause', press('pause'));
    const resign = (/** @type {'w' | 'b'} */ side) =>
      holdButton(text('resigns', text(`side ${side}`)), press(side === 'w' ? 'resign_white' : 'resign_black'), () => this.app.notice(text('hold longer')));
    const draw = button('draw', press('draw'));
    const resigns = { w: resign('w'), b: resign('b') };
    const typed = typedResignation((side) => this.#press(side === 'w' ? 'resign_white' : 'resign_black'));
    const end = h(
      'details',
      { class: 'fold' },
      h('summary', {}, text('more')),
      h('div', { class: 'row' }, draw, button('claim', press('claim'))),
      h('div', { class: 'row' }, resigns.w, resigns.b),
      typed.form,
    );
    const panel = h('div', {});
    const arbiter = h('details', { class: 'fold', ontoggle: () => open() }, h('summary', {}, text('arbiter')), panel);
    // Fetched when it is wanted: few who look at a game decide about it.
    const open = async () => {
      if (!arbiter.open || panel.firstChild) return;
      const { arbiterPanel } = await import('./arbiter_panel.js');
      fill(panel, arbiterPanel(this.app));
    };
    const fresh = h('a', { class: 'button', href: '/new' }, text('new game'));
    const element = h(
      'section',
      { class: 'actions' },
      h('h2', { class: 'unseen' }, text('actions')),
      h('div', { class: 'row' }, play, pause, fresh, button('turn board', turn), still),
      end,
      arbiter,
    );
    return {
      element,
      /** @param {Snapshot} state @param {boolean} mayAct */
      show: (state, mayAct) => {
        const isPlaying = mayAct && state.phase === 'play' && !state.lesson;
        for (const one of play) show(one, isPlaying);
        show(pause, mayAct && state.clock !== null);
        say(pause, text(state.clock?.runs ? 'pause' : 'resume'));
        show(end, isPlaying);
        // An opponent that is not at the board resigns by itself.
        const away = state.opponent?.side;
        say(draw, text(away ? 'draw offer' : 'draw'));
        show(resigns.w, away !== 'w');
        show(resigns.b, away !== 'b');
        show(typed.side, !away);
        if (away) typed.side.value = away === 'w' ? 'b' : 'w';
        show(arbiter, RULERS.includes(state.role) && !state.lesson);
        show(fresh, mayAct);
      },
    };
  }

  /** A square of the board was chosen. @param {string} square */
  #choose(square) {
    const { state } = this;
    if (!state) return;
    const answer = state.ask?.filter((candidate) => candidate.squares.includes(square)) ?? [];
    if (answer.length === 1 && answer[0] && this.#mayAct()) this.#press(`answer_${answer[0].n}`);
    else if (state.simulated && this.#mayAct()) void this.#hand({ touch: square });
    else this.#status(text(this.#mayAct() ? 'hands only' : 'watching'));
  }

  /** One of the keys that tell something. @param {string} letter */
  #tell(letter) {
    const { state } = this;
    if (!state) return;
    const clock = state.clock;
    const age = this.feed?.clockAgeMs() ?? 0;
    const words = {
      l: () => lastMoveWords(state),
      c: () => (clock ? text('clocks said', clockText(leftMs(clock, 'w', age)), clockText(leftMs(clock, 'b', age))) : text('no clock')),
      h: () => handWords(state),
      m: () => mismatchWords(state).join(' ') || text('nothing wrong'),
    }[letter];
    if (words) this.#status(words());
  }

  /** A sentence for those who see and those who listen. @param {string} words */
  #status(words) {
    this.app.announce(words);
    const tip = this.tray.querySelector('.tip');
    if (tip) say(tip, words);
  }

  /** @param {object} act what the hand does on the simulated board */
  #hand(act) {
    return this.#do(async () => {
      const answer = await post('/hand', { id: newId(), ...act });
      if (answer?.text) this.#status(spoken(answer, 'text')[1]);
    });
  }

  /**
   * Lift the pawn and put it back until it is the piece that is wanted; who wants another one meanwhile gets that.
   * Nothing else is touched in between.
   * @param {string} square @param {string} wanted
   */
  #promote(square, wanted) {
    const isChoosing = Boolean(this.wanted);
    this.wanted = wanted;
    if (!isChoosing) this.#do(() => this.#putBackAndForth(square).finally(() => (this.wanted = '')));
  }

  /** @param {string} square */
  async #putBackAndForth(square) {
    const choosing = () => this.state?.choosing;
    const isUp = () => !occupiedOf(this.state?.occ ?? '')[squareOf(square)];
    const told = () => `${choosing()?.piece} ${choosing()?.then}`; // the first put-back changes only what comes next
    for (let times = 0; times <= PROMOTIONS.length && choosing() && choosing()?.piece !== this.wanted; times++) {
      const before = told();
      await handUntil({ lift: square }, isUp);
      await handUntil({ drop: square }, () => !isUp() && told() !== before);
    }
    if (choosing()?.piece !== this.wanted) throw new Error(text('chosen too late'));
  }

  /** Press a button of the table. @param {string} button */
  #press(button) {
    // What is pressed is about what was seen: the number says which state that was.
    const seq = this.state?.seq;
    return this.#do(async () => {
      const answer = await post(`/table/${button}`, { id: newId(), seq });
      if (answer?.text) this.#status(spoken(answer, 'text')[1]);
    });
  }

  /** Do it behind what was asked for before. @param {() => Promise<unknown>} act */
  #do(act) {
    this.queue = this.queue.then(act).then(
      () => undefined,
      (error) => this.app.trouble(error),
    );
    return this.queue;
  }
}

/** Everything that the cards show. @param {Snapshot} state */
function cardKey(state) {
  const { late, unwritten, blind, mismatch, ask, choosing, doubt, setup, opponent, lesson, stuck, role, simulated, demo, to_go } = state;
  const over = state.phase === 'over' ? [state.game.id, state.game.result, state.game.termination, state.game.can_look_back, isLookedBack(state)] : null;
  return [late, unwritten, blind, mismatch, ask, choosing, doubt, setup, opponent, lesson, stuck, role, simulated, demo, Boolean(to_go), over];
}

/** Whether turning points are looked for just now. @param {Snapshot} state */
const isLookedBack = (state) => Boolean(state.cues?.looked_at?.length);

/** @param {import('./types.js').Setup} setup */
function setupWords(setup) {
  const words = [...(setup.problems ?? [])];
  if (setup.next) words.push(text('setup next', pieceName(setup.next), list(setup.next_squares ?? [])));
  if (setup.surplus.length) words.push(text('setup surplus', list(setup.surplus)));
  if (!setup.next && setup.wanted.length) words.push(text('setup wanted', list(setup.wanted)));
  return words;
}

/** The other way to resign, for hands that cannot hold: a form, and in it who resigns. @param {(side: 'w' | 'b') => void} resign */
function typedResignation(resign) {
  const word = text('resign word');
  const side = h('select', { 'aria-label': text('resign side') }, h('option', { value: 'w' }, text('side w')), h('option', { value: 'b' }, text('side b')));
  const field = h('input', { type: 'text', autocomplete: 'off', 'aria-label': text('resign typed', word), placeholder: word });
  const act = (/** @type {Event} */ event) => {
    event.preventDefault();
    if (field.value.trim().toLowerCase() !== word) return;
    field.value = '';
    resign(side.value === 'b' ? 'b' : 'w');
  };
  return { side, form: h('form', { class: 'row resign', onsubmit: act }, side, h('label', {}, text('resign typed', word), field)) };
}

function keyList() {
  const keys = [
    ['arrow keys', 'key arrows'], ['enter', 'key enter'], ['escape', 'key escape'],
    ['l', 'key l'], ['c', 'key c'], ['h', 'key h'], ['m', 'key m'],
  ];
  return h('dl', { class: 'keys' }, keys.flatMap(([key, what]) => [h('dt', {}, h('kbd', {}, text(key ?? ''))), h('dd', {}, text(what ?? ''))]));
}

/** Let the hand do this, and wait for a while until the board has seen it. @param {object} act @param {() => boolean} isSeen */
async function handUntil(act, isSeen) {
  const answer = await post('/hand', { id: newId(), ...act });
  if (answer?.text) throw new Error(spoken(answer, 'text')[1]);
  const end = performance.now() + LATEST_MS;
  do await new Promise((resolve) => window.setTimeout(resolve, TOUCH_MS));
  while (!isSeen() && performance.now() < end);
}
