// What a state of the board is made of, without a page: squares, placements and pieces as the firmware writes them, and how
// a state and a delta make the next state. A square is its number, a1 = 0 … h8 = 63.

export const FILES = 'abcdefgh';

/** @param {number} square */
export const nameOf = (square) => `${FILES[square & 7]}${(square >> 3) + 1}`;

/** The number of a square that is named like `e4`. @param {string} name */
export const squareOf = (name) => FILES.indexOf(name[0] ?? '') + 8 * (Number(name[1]) - 1);

/** Whether the square is a light one. @param {number} square */
export const isLight = (square) => ((square ^ (square >> 3)) & 1) === 1;

/**
 * The letters of the pieces on 64 squares, '' where there is none, of the first field of a FEN.
 * @param {string} placement
 * @returns {string[]}
 */
export function piecesOf(placement) {
  const pieces = Array(64).fill('');
  placement.split('/').forEach((row, number) => {
    let file = 0;
    for (const letter of row) {
      if (letter >= '1' && letter <= '8') file += Number(letter);
      else if (file < 8 && number < 8) pieces[(7 - number) * 8 + file++] = letter;
    }
  });
  return pieces;
}

/**
 * The squares that are set in 16 hex digits of an occupancy, bit 0 = a1.
 * @param {string} occupancy
 * @returns {boolean[]}
 */
export function occupiedOf(occupancy) {
  return Array.from({ length: 64 }, (_, square) => {
    const digit = parseInt(occupancy[15 - (square >> 2)] ?? '0', 16);
    return ((digit >> (square & 3)) & 1) === 1;
  });
}

/**
 * The pieces that stand after a move in UCI. Castling is written as the king's two steps or as the king
 * that takes its own rook; a pawn that goes diagonally to an empty square has captured en passant.
 * @param {string[]} pieces
 * @param {string} uci
 * @returns {string[]}
 */
export function moved(pieces, uci) {
  const after = [...pieces];
  const from = squareOf(uci.slice(0, 2));
  const to = squareOf(uci.slice(2, 4));
  const piece = pieces[from] ?? '';
  const isWhite = piece === piece.toUpperCase();
  after[from] = '';
  if (piece.toLowerCase() === 'k' && isCastling(pieces, piece, from, to)) {
    const rank = from & 56;
    const isShort = to > from;
    const rook = pieces[to] && to !== from ? to : rank + (isShort ? 7 : 0);
    after[rook] = '';
    after[rank + (isShort ? 6 : 2)] = piece;
    after[rank + (isShort ? 5 : 3)] = isWhite ? 'R' : 'r';
    return after;
  }
  if (piece.toLowerCase() === 'p' && (from & 7) !== (to & 7) && !pieces[to]) {
    after[(from & 56) + (to & 7)] = '';
  }
  const promotion = uci[4];
  after[to] = promotion ? (isWhite ? promotion.toUpperCase() : promotion.toLowerCase()) : piece;
  return after;
}

/** @param {string[]} pieces @param {string} king @param {number} from @param {number} to */
function isCastling(pieces, king, from, to) {
  const isOwnRook = pieces[to] === (king === 'K' ? 'R' : 'r');
  return isOwnRook || Math.abs((from & 7) - (to & 7)) === 2;
}

/** Whether White is to move in a FEN. @param {string} fen */
export const whiteBegins = (fen) => (fen.split(' ')[1] ?? 'w') === 'w';

/** The number of the first move of a FEN. @param {string} fen */
export const firstMove = (fen) => Number(fen.split(' ')[5] ?? 1) || 1;

// services/web/fold.py is the same again. Both are held to tests/services/web/fold_vectors.json.

/** @typedef {[string, string, string, number | null]} Ply  UCI, SAN, "p" or "f", clock in ms */
/** @typedef {Record<string, any>} State  a snapshot; never changed, only replaced */
/** @typedef {{seq: number, e: Record<string, any>[], set: Record<string, any>}} Delta */

/**
 * The state after a delta: first its events change the game, then its keys replace others.
 * @param {State} state
 * @param {Delta} delta
 * @returns {State}
 */
export function fold(state, delta) {
  return { ...state, game: delta.e.reduce(told, state.game), ...delta.set, seq: delta.seq };
}

/**
 * The game after an event; most events say nothing of it.
 * @param {Record<string, any>} game
 * @param {Record<string, any>} event
 * @returns {Record<string, any>}
 */
function told(game, event) {
  /** @type {Ply[]} */
  const plies = game.plies;
  const at = event.ply - 1;
  const old = plies[at];
  switch (event.event) {
    case 'move':
      return { ...game, plies: [...plies.slice(0, at), [event.uci, event.san, 'p', event.clk ?? null]] };
    case 'amend':
      return old ? { ...game, plies: replaced(plies, at, [event.uci, event.san, old[2], old[3]]) } : game;
    case 'take_back':
      return { ...game, plies: plies.slice(0, Math.max(plies.length - event.plies, 0)) };
    case 'final':
      return old ? { ...game, plies: replaced(plies, at, [old[0], old[1], 'f', old[3]]) } : game;
    case 'result':
      return { ...game, result: event.result, termination: event.termination };
    case 'new_game':
      return { ...game, plies: [], result: '*', termination: '' };
    default:
      return game;
  }
}

/**
 * The plies with another one at this index.
 * @param {Ply[]} plies
 * @param {number} at
 * @param {Ply} ply
 * @returns {Ply[]}
 */
function replaced(plies, at, ply) {
  return [...plies.slice(0, at), ply, ...plies.slice(at + 1)];
}
