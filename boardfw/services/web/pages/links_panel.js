// Letting others in: links for spectators, who may see the game late, and codes for players, arbiters and owners.

import { codeAgain, wantsCode } from './code_again.js';
import { alertLine, fill, h } from './dom.js';
import { field, select } from './new_page.js';
import { get, post, remove } from './server.js';
import { text } from './texts.js';

/** @typedef {import('./app.js').App} App */
/** @typedef {{id: number, name: string, delay_plies: number, watching: number}} Link */

const ROLES = ['spectator', 'player', 'arbiter', 'owner'];

/** @param {App} app @returns {HTMLElement} */
export function linksPanel(app) {
  const list = h('ul', { class: 'lessons' });
  const look = async () => {
    const found = await get('/links');
    fill(list, found.links.map((/** @type {Link} */ link) => linkItem(app, link)));
  };
  look().catch((error) => app.trouble(error));
  const role = select(ROLES.map((one) => [one, text(`role ${one}`)]));
  const name = h('input', { type: 'text', autocomplete: 'off', maxLength: 60 });
  const delay = h('input', { type: 'number', min: '0', max: '400', value: '0', inputMode: 'numeric' });
  const late = h('div', {}, field(text('link delay'), delay), h('p', { class: 'tip' }, text('link late')));
  role.addEventListener('change', () => (late.hidden = role.value !== 'spectator'));
  const said = h('div', { role: 'status' });
  const make = async () => {
    try {
      const isLate = role.value === 'spectator';
      const made = await post('/links', { role: role.value, name: name.value.trim(), delay_plies: isLate ? Number(delay.value) : 0 });
      const address = location.origin + made.path;
      const words = h('input', { type: 'text', readOnly: true, value: address, 'aria-label': text('link address'), onfocus: () => words.select() });
      fill(said, h('p', {}, text(made.id === null ? 'link once' : 'link often')), words);
      await look();
    } catch (error) {
      if (wantsCode(error)) fill(said, codeAgain(make));
      else fill(said, alertLine(error));
    }
  };
  // Nothing around it is a form: the code again is one, and forms do not lie in forms.
  return h(
    'section',
    { class: 'panel' },
    h('h2', {}, text('links')),
    list,
    h('div', { class: 'columns' }, field(text('link role'), role), field(text('link name'), name)),
    late,
    h('p', {}, h('button', { type: 'button', onclick: make }, text('link make'))),
    said,
  );
}

/** @param {App} app @param {Link} link */
function linkItem(app, link) {
  const about = [link.delay_plies ? text('link plies', link.delay_plies) : text('link live'), text('link watching', link.watching)].join(' · ');
  const end = async () => {
    try {
      await remove(`/links/${link.id}`);
      item.remove();
      app.notice(text('link ended', link.name));
    } catch (error) {
      if (wantsCode(error)) item.append(codeAgain(end));
      else app.trouble(error);
    }
  };
  const item = h(
    'li',
    {},
    h('span', { class: 'about' }, h('strong', {}, link.name), h('span', { class: 'tip' }, about)),
    h('button', { type: 'button', class: 'small', 'aria-label': `${text('link end')}: ${link.name}`, onclick: end }, text('link end')),
  );
  return item;
}
