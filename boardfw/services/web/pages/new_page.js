// How the next game shall be: opponent, clock, help, where it begins, and who plays. One button.

import { alertLine, fill, h, show } from './dom.js';
import { get, post } from './server.js';
import { hasText, text } from './texts.js';

/** @typedef {import('./app.js').App} App */
/** @typedef {'w' | 'b'} Side */

const CLOCKS = ['3+2', '5+0', '5+3', '10+0', '10+5', '15+10', '30+0', '90+30'];
const LEVELS = 8;
/** Help of each side, as on the board: 0 none … 4 the coach. */
const HELP = [0, 1, 2, 3, 4];

/** @param {App} app */
export async function start(app) {
  app.setHeading(text('new heading'));
  app.showLoading();
  const session = await app.session();
  if (session.role === null || session.role === 'spectator') {
    app.showForbidden();
    return;
  }
  // What may be chosen is nicer to know, but a game can be begun without it.
  const offers = await get('/setup').catch(() => ({}));
  app.setCondition('live');
  app.show(form(offers ?? {}));
}

/** @param {any} offers what the board says may be chosen */
function form(offers) {
  const levels = (offers.levels ?? []).length || LEVELS;
  const levelWords = () => (hasText(`level ${level.value}`) ? text(`level ${level.value}`) : text('level of', level.value, levels));
  // Whoever has played a computer will mostly play it again.
  const last = offers.opponent;
  const opponent = radios('opponent', [['', text('opponent person')], ['engine', text('opponent engine')]], last ? 'engine' : '');
  const side = radios('side', [['b', text('side b')], ['w', text('side w')]], last?.side ?? 'b');
  const level = h('input', { type: 'range', min: '1', max: String(levels), value: String(Math.min(last?.level ?? 3, levels)), id: 'level' });
  const levelShown = h('output', { for: 'level' }, levelWords());
  level.addEventListener('input', () => fill(levelShown, levelWords()));
  const engine = h(
    'div',
    { class: 'columns' },
    fieldset(text('engine side'), side.element),
    h('div', { class: 'field' }, h('label', { for: 'level' }, h('strong', {}, text('engine level'))), level, levelShown),
  );
  const showSides = () => {
    const isEngine = opponent.value() === 'engine';
    show(engine, isEngine);
    // Nobody helps an engine, and its name is that of its level.
    for (const one of /** @type {const} */ (['w', 'b'])) {
      const isPerson = !(isEngine && side.value() === one);
      show(helpFields[one], isPerson);
      show(nameFields[one], isPerson);
    }
  };
  opponent.element.addEventListener('change', showSides);
  side.element.addEventListener('change', showSides);

  const clocks = (offers.clocks ?? CLOCKS).filter((/** @type {string} */ one) => one !== 'none');
  const clock = select([['', text('clock none')], ...clocks.map((/** @type {string} */ one) => [one, one]), ['other', text('clock other')]]);
  const custom = h('input', { type: 'text', inputMode: 'text', pattern: '\\s*\\d+\\s*(\\+\\s*\\d+\\s*)?', placeholder: '20+10' });
  const customField = field(text('clock custom'), custom);
  customField.hidden = true;
  clock.addEventListener('change', () => show(customField, clock.value === 'other'));

  const help = /** @type {Record<Side, HTMLSelectElement>} */ ({ w: helpOf(offers.help?.[0]), b: helpOf(offers.help?.[1]) });
  const helpFields = { w: field(text('help for', text('side w')), help.w), b: field(text('help for', text('side b')), help.b) };
  // What this device shows is right more often than the clock of a board without one of its own.
  const opened = localTime(new Date());
  const now = offers.asks_date ? h('input', { type: 'datetime-local', value: opened }) : null;
  const moment = () => (now?.value === opened ? new Date() : new Date(now?.value ?? '')).toISOString();
  const start = radios('start', [['usual', text('start usual')], ['960', text('start 960')], ['fen', text('start fen')]], 'usual');
  const number = h('input', { type: 'number', min: '0', max: '959', inputMode: 'numeric' });
  const fen = h('input', { type: 'text', autocomplete: 'off', spellcheck: false });
  const numberField = field(text('start number'), number);
  const fenField = field('FEN', fen);
  numberField.hidden = fenField.hidden = true;
  start.element.addEventListener('change', () => {
    show(numberField, start.value() === '960');
    show(fenField, start.value() === 'fen');
  });
  const names = { w: h('input', { type: 'text', autocomplete: 'off', maxLength: 60, value: nameOf(offers.white) }), b: h('input', { type: 'text', autocomplete: 'off', maxLength: 60, value: nameOf(offers.black) }) };

  const nameFields = { w: field(text('name of', text('side w')), names.w), b: field(text('name of', text('side b')), names.b) };
  showSides();

  const alert = h('div', { role: 'alert' });
  const go = h('button', { type: 'submit', class: 'main big' }, text('start button'));
  const send = async (/** @type {Event} */ event) => {
    event.preventDefault();
    fill(alert);
    go.disabled = true;
    try {
      await post('/setup', {
        start: start.value(),
        fen: start.value() === 'fen' ? fen.value.trim() : '',
        number: start.value() === '960' && number.value !== '' ? Number(number.value) : null,
        white: nameFields.w.hidden ? null : names.w.value.trim() || null,
        black: nameFields.b.hidden ? null : names.b.value.trim() || null,
        clock: (clock.value === 'other' ? custom.value.replace(/\s/g, '') : clock.value) || null,
        help: [Number(help.w.value), Number(help.b.value)],
        opponent: opponent.value() === 'engine' ? { side: side.value(), level: Number(level.value), engine: last?.engine ?? '' } : null,
        now: now?.value ? moment() : null,
      });
      location.assign('/');
    } catch (error) {
      fill(alert, alertLine(error));
      go.disabled = false;
    }
  };
  return h(
    'form',
    { class: 'narrow', onsubmit: send },
    h('div', { class: 'panel' }, fieldset(text('opponent'), opponent.element), engine),
    h('div', { class: 'panel columns' }, h('div', {}, field(text('clock'), clock), customField)),
    h('div', { class: 'panel columns' }, helpFields.w, helpFields.b),
    h('div', { class: 'panel' }, fieldset(text('start'), start.element), numberField, fenField),
    h('div', { class: 'panel columns' }, nameFields.w, nameFields.b),
    now ? h('div', { class: 'panel' }, field(text('date of game'), now), h('p', { class: 'tip' }, text('date why'))) : null,
    offers.rated ? h('p', { class: 'tip' }, text('start rated')) : null,
    h('p', { class: 'tip' }, text('start running')),
    h('div', { class: 'at-hand' }, alert, go),
  );
}

/** A moment as a field for it wants it, in the time of this place. @param {Date} moment */
function localTime(moment) {
  return new Date(moment.getTime() - moment.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/** A name as a field shows it: nobody known is an empty field. @param {string} [name] */
const nameOf = (name) => (name && name !== '?' ? name : '');

/** @param {number} [level] as it is now */
function helpOf(level = 1) {
  const found = select(HELP.map((level) => [String(level), text(`help ${level}`)]));
  found.value = String(level);
  return found;
}

/** A control under its name. @param {string} name @param {HTMLElement} control */
export function field(name, control) {
  return h('label', { class: 'field' }, h('span', {}, name), control);
}

/** @param {string} name @param {...Node} controls */
function fieldset(name, ...controls) {
  return h('fieldset', {}, h('legend', {}, name), controls);
}

/** @param {string[][]} choices value and words @param {string} [value] */
export function select(choices, value) {
  const found = h('select', {}, choices.map(([one, words]) => h('option', { value: one }, words ?? one ?? '')));
  if (value !== undefined) found.value = value;
  return found;
}

/** @param {string} name @param {string[][]} choices value and words @param {string} value */
function radios(name, choices, value) {
  const inputs = choices.map(([one]) => h('input', { type: 'radio', name, value: one ?? '', checked: one === value }));
  const labels = choices.map(([, words], at) => h('label', { class: 'choice' }, inputs[at], words ?? ''));
  return {
    element: h('div', { class: 'row' }, labels),
    value: () => inputs.find((input) => input.checked)?.value ?? value,
  };
}
