// What an arbiter decides: moves, clocks, the result, names. Each decision needs a name and a reason.

import { alertLine, fill, h, show } from './dom.js';
import { field, select } from './new_page.js';
import { get, newId, post } from './server.js';
import { hasText, text } from './texts.js';

/** @typedef {import('./app.js').App} App */

const WHO_KEY = 'boardfw arbiter';
/** As a ruling writes them: docs/rulings.md. */
const RESULTS = [
  '1-0 resignation', '0-1 resignation', '1/2-1/2 agreement', '1-0 time', '0-1 time', '1/2-1/2 time',
  '1-0 abandoned', '0-1 abandoned', '1/2-1/2 abandoned', '*',
];

/** @param {App} app @returns {HTMLElement} */
export function arbiterPanel(app) {
  const rulings = h('ol', { class: 'findings', lang: 'en' });
  const look = async () => {
    try {
      const found = await get('/arbiter/rulings');
      fill(rulings, found.rulings.map((/** @type {any} */ one) => h('li', {}, `${one.what} (${one.who}: ${one.why})`)));
    } catch (error) {
      app.trouble(error);
    }
  };
  void look();
  return h('div', {}, ruling(look), names(app), h('h3', {}, text('arbiter decided')), rulings);
}

/** @param {() => Promise<void>} look */
function ruling(look) {
  const kind = select([['moves', text('arbiter moves')], ['result', text('arbiter result')], ['clocks', text('arbiter clocks')]]);
  const moves = h('input', { type: 'text', autocomplete: 'off', spellcheck: false, placeholder: '12.Nf3' });
  const result = select(RESULTS.map((one) => [one, resultWords(one)]));
  const white = h('input', { type: 'text', autocomplete: 'off', placeholder: '1:20:00' });
  const black = h('input', { type: 'text', autocomplete: 'off', placeholder: '58:10' });
  const who = h('input', { type: 'text', autocomplete: 'name', maxLength: 255, value: localStorage.getItem(WHO_KEY) ?? '' });
  const why = h('input', { type: 'text', autocomplete: 'off', maxLength: 255, required: true });
  const parts = {
    moves: h('div', {}, field(text('arbiter what'), moves), h('p', { class: 'tip' }, text('arbiter how'))),
    result: field(text('arbiter result'), result),
    clocks: h('div', { class: 'columns' }, field(text('clock of', text('side w')), white), field(text('clock of', text('side b')), black)),
  };
  const choose = () => {
    for (const [name, part] of Object.entries(parts)) show(part, name === kind.value);
  };
  kind.addEventListener('change', choose);
  choose();
  const said = h('div', { role: 'status' });
  const words = () => {
    if (kind.value === 'result') return `result ${result.value}`;
    if (kind.value === 'clocks') return `clocks ${white.value.trim() || '-'} ${black.value.trim() || '-'}`;
    return moves.value.trim();
  };
  const send = async (/** @type {Event} */ event) => {
    event.preventDefault();
    localStorage.setItem(WHO_KEY, who.value.trim());
    try {
      const done = await post('/arbiter/ruling', { what: words(), why: why.value.trim(), who: who.value.trim(), id: newId() });
      fill(said, h('p', {}, text('arbiter done', done.text)));
      moves.value = why.value = '';
      await look();
    } catch (error) {
      fill(said, alertLine(error));
    }
  };
  return h(
    'form',
    { onsubmit: send },
    field(text('arbiter kind'), kind),
    Object.values(parts),
    field(text('arbiter who'), who),
    field(text('arbiter why'), why),
    said,
    h('button', { type: 'submit', class: 'main' }, text('arbiter decide')),
  );
}

/** "White has won on time". @param {string} ruling */
function resultWords(ruling) {
  const [result, how] = ruling.split(' ');
  if (!how) return text('arbiter goes on');
  const end = `end ${how}`;
  return [text(`result ${result}`), hasText(end) ? text(end) : how].join(' ');
}

/** @param {App} app */
function names(app) {
  const white = h('input', { type: 'text', autocomplete: 'off', maxLength: 60 });
  const black = h('input', { type: 'text', autocomplete: 'off', maxLength: 60 });
  const send = async (/** @type {Event} */ event) => {
    event.preventDefault();
    try {
      await post('/arbiter/names', { white: white.value.trim() || null, black: black.value.trim() || null, id: newId() });
      app.notice(text('settings saved'));
    } catch (error) {
      app.trouble(error);
    }
  };
  return h(
    'form',
    { onsubmit: send },
    h('h3', {}, text('arbiter names')),
    h('div', { class: 'columns' }, field(text('name of', text('side w')), white), field(text('name of', text('side b')), black)),
    h('button', { type: 'submit' }, text('arbiter call')),
  );
}
