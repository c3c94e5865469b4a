// The board: 64 buttons in a grid. It shows pieces, what is in the hand and lights, and says which square
// was chosen; what that means is the business of its page.

import { h } from './dom.js';
import { CUES, cuesBySquare, squareLabel } from './labels.js';
import { FILES, isLight, nameOf, occupiedOf, piecesOf } from './state.js';
import { text } from './texts.js';

/** @typedef {import('./types.js').Snapshot} Snapshot */

/**
 * What one square shows. `piece`: its letter or ''; `ghost`: whether the game has it here while the board does not.
 * @typedef {{piece: string, isGhost: boolean, isUnknown: boolean, isInHand: boolean, cue: string, rgb: string}} Shown
 */

/** @type {Record<string, [number, number]>} */
const STEPS = { ArrowUp: [0, 1], ArrowDown: [0, -1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };

/** What a key does while the board has the focus; in both languages the same letters. */
const COMMANDS = 'lchm';

export class Board {
  /**
   * @param {object} options
   * @param {string} options.name what it is called, for those who do not see it
   * @param {(square: string) => void} [options.onSquare] a square was chosen
   * @param {() => void} [options.onBack] Escape
   * @param {(letter: string) => void} [options.onCommand] one of l, c, h, m
   */
  constructor({ name, onSquare, onBack, onCommand }) {
    this.onSquare = onSquare;
    this.onBack = onBack;
    this.onCommand = onCommand;
    this.isTurned = false;
    /** The square that Tab reaches; arrows move it. */
    this.active = 0;
    /** @type {string[]} */
    this.shown = Array(64).fill('');
    this.cells = Array.from({ length: 64 }, (_, square) => makeCell(square));
    this.rows = Array.from({ length: 8 }, () => h('div', { role: 'row', class: 'rank' }));
    this.element = h(
      'div',
      {
        role: 'grid',
        class: 'board',
        'aria-label': name,
        onclick: (/** @type {Event} */ event) => this.#choose(event),
        onkeydown: (/** @type {KeyboardEvent} */ event) => this.#key(event),
        onfocusin: (/** @type {Event} */ event) => this.#follow(event),
      },
      this.rows,
    );
    this.#arrange();
    this.#setActive(this.active);
  }

  /**
   * Show 64 squares, and Black at the bottom where the board is turned.
   * @param {Shown[]} squares
   * @param {{isTurned?: boolean, isMono?: boolean}} [options]
   */
  show(squares, { isTurned = false, isMono = false } = {}) {
    if (isTurned !== this.isTurned) {
      this.isTurned = isTurned;
      this.#arrange();
    }
    this.element.classList.toggle('mono', isMono);
    squares.forEach((shown, square) => {
      // Most squares stay as they are: what did not change is not touched, and focus and animations go on.
      const key = JSON.stringify(shown);
      if (this.shown[square] === key) return;
      this.shown[square] = key;
      drawSquare(/** @type {HTMLElement} */ (this.cells[square]), square, shown);
    });
  }

  /** Forget the labels, which are written anew in another language. */
  forget() {
    this.shown.fill('');
  }

  focus() {
    this.#buttonOf(this.active).focus();
  }

  /** @param {number} square @returns {HTMLButtonElement} */
  #buttonOf(square) {
    return /** @type {HTMLButtonElement} */ (this.cells[square]?.firstElementChild);
  }

  /** Put the cells into their rows, as they are seen from the side at the bottom. */
  #arrange() {
    const focused = this.cells.findIndex((cell) => cell.contains(document.activeElement));
    this.rows.forEach((row, number) => {
      const rank = this.isTurned ? number : 7 - number;
      const cells = this.cells.slice(8 * rank, 8 * rank + 8);
      row.replaceChildren(...(this.isTurned ? cells.reverse() : cells));
    });
    this.element.classList.toggle('turned', this.isTurned);
    if (focused >= 0) this.#buttonOf(focused).focus();
  }

  /** @param {number} square */
  #setActive(square) {
    this.#buttonOf(this.active).tabIndex = -1;
    this.active = square;
    this.#buttonOf(square).tabIndex = 0;
  }

  /** @param {Event} event */
  #choose(event) {
    const square = squareAt(event);
    if (square !== null) this.onSquare?.(nameOf(square));
  }

  /** @param {Event} event */
  #follow(event) {
    const square = squareAt(event);
    if (square !== null && square !== this.active) this.#setActive(square);
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const step = STEPS[event.key];
    if (step) {
      const way = this.isTurned ? -1 : 1;
      const file = (this.active & 7) + way * step[0];
      const rank = (this.active >> 3) + way * step[1];
      if (file >= 0 && file < 8 && rank >= 0 && rank < 8) this.#goTo(8 * rank + file);
    } else if (event.key === 'Home' || event.key === 'End') {
      const isFirst = (event.key === 'Home') !== this.isTurned;
      this.#goTo((this.active & 56) + (isFirst ? 0 : 7));
    } else if (event.key === 'Escape') {
      this.onBack?.();
    } else if (COMMANDS.includes(event.key.toLowerCase()) && event.key.length === 1) {
      this.onCommand?.(event.key.toLowerCase());
    } else {
      return; // Enter and Space are the button's own, everything else the browser's
    }
    event.preventDefault();
  }

  /** @param {number} square */
  #goTo(square) {
    this.#setActive(square);
    this.focus();
  }
}

/** The square in which an event happened; null: in none. @param {Event} event */
function squareAt(event) {
  const cell = event.target instanceof Element ? event.target.closest('[data-square]') : null;
  return cell ? Number(cell.getAttribute('data-square')) : null;
}

/** @param {number} square */
function makeCell(square) {
  const name = nameOf(square);
  const shade = isLight(square) ? 'light' : 'dark';
  const cell = h(
    'div',
    { role: 'gridcell', class: `square ${shade}`, 'data-square': square },
    h('button', { type: 'button', tabIndex: -1 }),
  );
  // Coordinates stand at two edges whichever side is at the bottom; the labels say them anyway.
  for (const [edge, words] of [
    ['letter', FILES[square & 7]],
    ['number', name[1]],
  ]) {
    const isEdge = edge === 'letter' ? square < 8 || square > 55 : (square & 7) === 0 || (square & 7) === 7;
    if (!isEdge) continue;
    const side = edge === 'letter' ? (square < 8 ? 'low' : 'high') : (square & 7) === 0 ? 'low' : 'high';
    cell.append(h('span', { class: `axis ${edge} ${side}`, 'aria-hidden': 'true' }, words));
  }
  return cell;
}

/** @param {HTMLElement} cell @param {number} square @param {Shown} shown */
function drawSquare(cell, square, shown) {
  const button = /** @type {HTMLButtonElement} */ (cell.firstElementChild);
  const cue = CUES[shown.cue];
  /** @type {Element[]} */
  const layers = [];
  if (cue || shown.rgb) {
    const light = h('span', { class: 'light', 'aria-hidden': 'true' });
    light.dataset.hue = cue?.hue ?? 'raw';
    light.dataset.rhythm = cue?.rhythm ?? 'steady';
    light.dataset.cue = shown.cue;
    // Lights of one rhythm beat together, whenever they came on.
    light.style.setProperty('--phase', `-${Math.round(performance.now())}ms`);
    light.style.setProperty('--level', String(cue?.level ?? 1));
    if (!cue) light.style.setProperty('--hue', shown.rgb);
    layers.push(light);
  }
  if (cue && cue.mark !== 'none') layers.push(markDrawing(cue.mark, cue.hue, shown.piece !== ''));
  if (shown.piece) {
    const piece = pieceDrawing(shown.piece);
    if (shown.isGhost) piece.classList.add('ghost');
    layers.push(piece);
  } else if (shown.isUnknown) {
    layers.push(h('span', { class: 'unknown', 'aria-hidden': 'true', 'data-sign': '?' }));
  }
  if (cue?.badge) {
    // The sign comes from the style sheet: it is no text that the label would have to repeat.
    const badge = h('span', { class: 'badge', 'aria-hidden': 'true', 'data-sign': cue.badge });
    badge.dataset.hue = cue.hue;
    layers.push(badge);
  }
  button.replaceChildren(...layers);
  const piece = shown.isGhost && !shown.isInHand ? '' : shown.piece;
  const label = squareLabel(square, piece, shown.cue || undefined, { inHand: shown.isInHand, isEmpty: shown.isGhost || !(piece || shown.isUnknown) });
  button.setAttribute('aria-label', shown.isUnknown ? `${label}, ${text('unknown piece')}` : label);
}

/**
 * The squares of a position on which nothing else is to be seen.
 * @param {string[]} pieces
 * @param {Record<string, string[]>} [cues]
 * @returns {Shown[]}
 */
export function plainSquares(pieces, cues = {}) {
  const lit = cuesBySquare(cues);
  return pieces.map((piece, square) => ({
    piece,
    isGhost: false,
    isUnknown: false,
    isInHand: false,
    cue: lit.get(nameOf(square)) ?? '',
    rgb: '',
  }));
}

// From a snapshot to what the squares show: what the game has there, what the switches say, what is held.

const GAMMA = 2.2;

/** @param {Snapshot} state @returns {Shown[]} */
export function squaresOf(state) {
  const pieces = piecesOf(state.placement);
  const standing = state.shown === null ? null : piecesOf(state.shown);
  const closed = occupiedOf(state.occ);
  const held = new Map(state.hand.map(([letter, from]) => [from, letter]));
  const lit = cuesBySquare(state.cues);
  // A dead or unread switch says nothing: there the game's word is all that is known.
  const unread = new Set([...(state.stuck ?? []), ...(state.blind ?? [])]);
  return pieces.map((piece, square) => {
    const name = nameOf(square);
    const isThere = standing ? standing[square] !== '' : closed[square] || unread.has(name);
    const shown = (standing && standing[square]) || piece || held.get(name) || '';
    return {
      piece: shown,
      isGhost: shown !== '' && !isThere,
      isUnknown: shown === '' && Boolean(isThere),
      isInHand: held.has(name) && !isThere,
      cue: lit.get(name) ?? '',
      // Only lights whose meaning was not sent are shown by their colour alone.
      rgb: state.cues ? '' : onScreen(state.lights ?? '', square),
    };
  });
}

/**
 * The colour of a light as a screen shows it: strips are linear in light, screens are not.
 * @param {string} lights 6 hex digits a square
 * @param {number} square
 */
function onScreen(lights, square) {
  const hex = lights.slice(6 * square, 6 * square + 6);
  const channels = [0, 2, 4].map((at) => parseInt(hex.slice(at, at + 2), 16) || 0);
  if (!channels.some(Boolean)) return '';
  return `rgb(${channels.map((value) => Math.round(255 * (value / 255) ** (1 / GAMMA))).join(' ')})`;
}

// The pieces and the marks of lights. Pieces are drawn for this project (MIT like all of it), on squares of 45 with the
// base at 38.5. They are paths in a module and no pictures of their own: one request less, and a style
// sheet can give them the colours of the theme.

const SVG = 'http://www.w3.org/2000/svg';

/** The filled outlines of each type of piece, and the lines drawn inside them. */
/** @type {Record<string, {body: string[], lines: string[]}>} */
const SHAPES = {
  p: {
    body: [
      'M22.5 7.5a5.2 5.2 0 0 1 3.6 9c2.3 1.4 3.9 3.9 3.9 6.7a8 8 0 0 1-1.8 5c2.9 1.4 5.3 4.3 5.3 9.3v1h-22v-1' +
        'c0-5 2.4-7.9 5.3-9.3a8 8 0 0 1-1.8-5c0-2.8 1.6-5.3 3.9-6.7a5.2 5.2 0 0 1 3.6-9Z',
    ],
    lines: ['M12.5 35h20'],
  },
  r: {
    body: [
      'M10.5 8.5H16V12h4V8.5h5V12h4V8.5h5.5V16L31 19v10.5l3 3.5v3H11v-3l3-3.5V19l-3.5-3Z',
      'M8.5 35.5h28v3h-28Z',
    ],
    lines: ['M14 19.2h17', 'M14 29.5h17'],
  },
  n: {
    body: [
      'M21 9.5c9.5.8 14.5 8 14.5 20.5v8.5h-21c0-8 6.5-9.5 7.5-15.5-3.2 3-5.5 4.2-8.2 5.2' +
        '-1.2 1.8-2.8 2.3-4.3 1.3-1.8-1-2-3-1-4.8l4.7-8.4c.2-2.3 1.2-4.3 2.8-5.8l.5-4.5Z',
    ],
    lines: ['M27.5 14.5c3.7 4 4.7 9.5 4.7 17.5', 'M17.3 16.6h.8'],
  },
  b: {
    body: [
      'M22.5 9c5.2 4 8.5 8.5 8.5 13 0 2.9-1.3 5.2-3 7H17c-1.7-1.8-3-4.1-3-7 0-4.5 3.3-9 8.5-13Z',
      'M16.5 29h12l1.5 4.5H15Z',
      'M9 38.5c0-3 3-5 7-5h13c4 0 7 2 7 5Z',
      'M22.5 4.6a2.3 2.3 0 1 1-.01 0Z',
    ],
    lines: ['M22.5 15v8M18.5 19h8'],
  },
  q: {
    body: [
      'M9 14l5 10 2-14 6.5 13L29 10l2 14 5-10-3.5 17.5h-20Z',
      'M11 38.5c0-4 1-5.5 1.5-7h20c.5 1.5 1.5 3 1.5 7Z',
      'M8 11.3a2.3 2.3 0 1 1 .01 0Z',
      'M16 8a2.3 2.3 0 1 1 .01 0Z',
      'M29 8a2.3 2.3 0 1 1 .01 0Z',
      'M37 11.3a2.3 2.3 0 1 1 .01 0Z',
    ],
    lines: ['M12.5 31.5h20', 'M12 35h21'],
  },
  k: {
    body: [
      'M22.5 20.5c2.5-5 7-6.5 10.5-4.5 4 2.3 4.2 7.5 1 11.5l-2.5 4h-18l-2.5-4c-3.2-4-3-9.2 1-11.5' +
        ' 3.5-2 8-.5 10.5 4.5Z',
      'M11.5 38.5c0-4 1-5.5 2-7h18c1 1.5 2 3 2 7Z',
      'M21 4.5h3v3h3v3h-3v6h-3v-6h-3v-3h3Z',
    ],
    lines: ['M22.5 20.5V27', 'M13.5 31.5h18', 'M12.5 35h20'],
  },
};

/** @type {Map<string, SVGSVGElement>} */
const drawn = new Map();

/**
 * A drawing of the piece of this letter: `N` is a white knight, `n` a black one.
 * @param {string} letter
 * @returns {SVGSVGElement}
 */
export function pieceDrawing(letter) {
  let drawing = drawn.get(letter);
  if (!drawing) {
    drawing = drawPiece(letter);
    drawn.set(letter, drawing);
  }
  return /** @type {SVGSVGElement} */ (drawing.cloneNode(true));
}

/** @param {string} letter @returns {SVGSVGElement} */
function drawPiece(letter) {
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('viewBox', '0 0 45 45');
  svg.setAttribute('class', `piece ${letter === letter.toUpperCase() ? 'white' : 'black'}`);
  // The name of the piece is in the label of its square or in the text beside it.
  svg.setAttribute('aria-hidden', 'true');
  const shape = SHAPES[letter.toLowerCase()];
  for (const [outlines, kind] of /** @type {[string[], string][]} */ ([
    [shape?.body ?? [], 'body'],
    [shape?.lines ?? [], 'lines'],
  ])) {
    for (const outline of outlines) {
      const path = document.createElementNS(SVG, 'path');
      path.setAttribute('d', outline);
      path.setAttribute('class', kind);
      svg.append(path);
    }
  }
  return svg;
}

// The marks that tell lights apart without colour. Each is drawn twice, the wider line in the colour of the
// outline, so that it stands out from light and dark squares alike, whatever its hue.

/** Paths on squares of 44; `filled` marks are areas, the others lines. */
/** @type {Record<string, {path: string, isFilled?: boolean, width?: number}>} */
const MARKS = {
  dot: { path: 'M22 15.500a6.5 6.5 0 1 1-.01 0Z', isFilled: true },
  ring: { path: 'M22 3.500a18.5 18.5 0 1 1-.01 0Z', width: 3.5 },
  target: { path: 'M22 3.5a18.5 18.5 0 1 1-.01 0ZM22 17.5a4.5 4.5 0 1 1-.01 0Z', width: 3.2 },
  frame: { path: 'M3 3h38v38H3Z', width: 3 },
  dashed: { path: 'M3 12V3h9M18 3h8M32 3h9v9M41 18v8M41 32v9h-9M26 41h-8M12 41H3v-9M3 26v-8', width: 2.2 },
  corners: { path: 'M3 13V3h10M31 3h10v10M41 31v10H31M13 41H3V31', width: 3.2 },
  diamond: { path: 'M22 14.500l7.5 7.5-7.5 7.5-7.5-7.500Z', isFilled: true },
  star: {
    path: 'M22 8l4.1 9.3 10.1 1-7.6 6.7 2.2 9.9-8.8-5.2-8.8 5.2 2.2-9.9-7.6-6.7 10.1-1Z',
    isFilled: true,
  },
};

/**
 * A drawing of this mark. On a square with a piece, a mark that would hide under it is drawn as a ring.
 * @param {string} name
 * @param {string} hue
 * @param {boolean} hasPiece
 */
export function markDrawing(name, hue, hasPiece) {
  const mark = MARKS[hasPiece && MARKS[name]?.isFilled ? 'ring' : name];
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('viewBox', '0 0 44 44');
  svg.setAttribute('class', `mark ${mark?.isFilled ? 'area' : 'line'}`);
  svg.setAttribute('data-hue', hue);
  svg.setAttribute('data-mark', name);
  svg.setAttribute('aria-hidden', 'true');
  for (const part of mark?.isFilled ? ['inside'] : ['outline', 'inside']) {
    const path = document.createElementNS(SVG, 'path');
    path.setAttribute('d', mark?.path ?? '');
    path.setAttribute('class', part);
    if (!mark?.isFilled) path.setAttribute('stroke-width', String((mark?.width ?? 3) + (part === 'outline' ? 2 : 0)));
    svg.append(path);
  }
  return svg;
}
