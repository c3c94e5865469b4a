// How a state of the board and a delta make the next state; services/web/fold.py is the same again.
// Both are held to tests/services/web/fold_vectors.json.

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
    case "move":
      return { ...game, plies: [...plies.slice(0, at), [event.uci, event.san, "p", event.clk ?? null]] };
    case "amend":
      return old ? { ...game, plies: replaced(plies, at, [event.uci, event.san, old[2], old[3]]) } : game;
    case "take_back":
      return { ...game, plies: plies.slice(0, Math.max(plies.length - event.plies, 0)) };
    case "final":
      return old ? { ...game, plies: replaced(plies, at, [old[0], old[1], "f", old[3]]) } : game;
    case "result":
      return { ...game, result: event.result, termination: event.termination };
    case "new_game":
      return { ...game, plies: [], result: "*", termination: "" };
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
