// How the board is: what its switches have done, as numbers and shades, and what the doctor says.

import { alertLine, fill, h, say } from './dom.js';
import { get, post } from './server.js';
import { nameOf } from './state.js';
import { follow } from './table.js';
import { text } from './texts.js';

/** @typedef {import('./app.js').App} App */
/** @typedef {{touches: number, bounce_us: number, longest_bounce_us: number, short: number, verdict: string, stuck: boolean}} Switch */

const MEASURES = ['short', 'bounce_us', 'longest_bounce_us', 'touches'];

/** @param {App} app */
export async function start(app) {
  app.setHeading(text('health heading'));
  app.showLoading();
  const session = await app.session();
  const counted = h('section', { class: 'panel' });
  const figures = h('section', { class: 'panel' });
  let isCounted = await draw(counted, figures);
  const condition = () => (isCounted ? 'live' : 'empty');
  app.setCondition(condition());
  let [boot, asked] = ['', ''];
  const again = async (/** @type {import('./types.js').Snapshot} */ state) => {
    if (!boot) boot = state.boot;
    if (state.boot === boot || state.boot === asked) return;
    // Another run of the board counts anew.
    asked = state.boot;
    try {
      isCounted = await draw(counted, figures);
      app.setCondition(condition());
      boot = state.boot;
    } catch (error) {
      app.trouble(error);
    }
    asked = '';
  };
  const { bar } = follow(app, again, { told: 'nothing', own: condition });
  const owned = session.role === 'owner' ? [doctor(), calibrating()] : [];
  app.show(bar, h('div', { class: 'columns' }, counted, h('div', {}, figures, owned)));
}

/**
 * Fetch what the switches have done, and show it; whether they have done anything.
 * @param {HTMLElement} counted @param {HTMLElement} figured
 */
async function draw(counted, figured) {
  const health = await get('/board/health');
  /** @type {Record<string, Switch>} */
  const squares = health.squares ?? {};
  const isCounted = Object.values(squares).some((one) => one.touches > 0);
  const map = h('div', { class: 'heat-box' });
  const measure = h('select', { onchange: () => fill(map, heatMap(squares, measure.value)) }, MEASURES.map((name) => h('option', { value: name }, text(`health ${name}`))));
  fill(map, heatMap(squares, 'short'));
  const figures = /** @type {[string, unknown][]} */ ([
    [text('health rate'), health.scan_hz],
    ...Object.entries(health.bus_errors ?? {}).map(([what, times]) => /** @type {[string, unknown]} */ ([what, `${times} ×`])),
    ...(Object.keys(health.bus_errors ?? {}).length ? [] : [/** @type {[string, unknown]} */ ([text('health errors'), '0 ×'])]),
  ]);
  fill(
    counted,
    h('h2', {}, text('health map')),
    isCounted ? null : h('p', { class: 'tip' }, text('health none')),
    h('label', { class: 'field' }, h('span', {}, text('health show')), measure),
    map,
    h('ul', { class: 'findings' }, (health.notes ?? []).map((/** @type {string} */ note) => h('li', { lang: 'en' }, note)), findings(squares, isCounted && !health.notes?.length).map((line) => h('li', {}, line))),
  );
  fill(figured, h('h2', {}, text('health figures')), h('dl', { class: 'keys' }, figures.flatMap(([name, value]) => [h('dt', {}, name), h('dd', {}, String(value))])));
  return isCounted;
}

/**
 * Eight lines of eight numbers; the more, the darker the shade under it.
 * @param {Record<string, Switch>} squares
 * @param {string} measure
 */
function heatMap(squares, measure) {
  const values = Array.from({ length: 64 }, (_, square) => {
    const found = squares[nameOf(square)];
    const value = found ? Reflect.get(found, measure) : null;
    if (typeof value !== 'number') return null;
    // Bounces are told in milliseconds, as they are known from data sheets.
    return measure.endsWith('_us') ? Math.round(value / 100) / 10 : value;
  });
  const most = Math.max(1, ...values.map((value) => value ?? 0));
  const rows = [7, 6, 5, 4, 3, 2, 1, 0].map((rank) =>
    h(
      'tr',
      {},
      h('th', { scope: 'row' }, rank + 1),
      Array.from({ length: 8 }, (_, file) => {
        const value = values[8 * rank + file];
        const isStuck = squares[nameOf(8 * rank + file)]?.stuck;
        const cell = h('td', { class: isStuck ? 'stuck' : '' }, value === null || value === undefined ? '–' : value, isStuck ? ' ×' : null);
        cell.style.setProperty('--share', String((value ?? 0) / most));
        return cell;
      }),
    ),
  );
  return h(
    'table',
    { class: 'heat' },
    h('caption', { class: 'unseen' }, text(`health ${measure}`)),
    h('thead', {}, h('tr', {}, h('td', {}), [...'abcdefgh'].map((file) => h('th', { scope: 'col' }, file)))),
    h('tbody', {}, rows),
  );
}

/** What is wrong with switches. @param {Record<string, Switch>} squares @param {boolean} isAll whether it is all that could be */
function findings(squares, isAll) {
  const lines = [];
  for (const [name, one] of Object.entries(squares)) {
    if (one.stuck) lines.push(text('health stuck', name));
    else if (one.verdict !== 'good') lines.push(text('health verdict', name, text(`switch ${one.verdict}`), one.short, one.touches));
  }
  if (!lines.length && isAll) lines.push(text('health fine'));
  return lines;
}

/** The doctor examines for some seconds; its words can be copied. */
function doctor() {
  const result = h('div', { role: 'status' });
  const run = h('button', { type: 'button', class: 'main', onclick: () => examine() }, text('doctor run'));
  const examine = async () => {
    run.disabled = true;
    fill(result, h('p', { class: 'loading' }, text('doctor running')));
    try {
      const found = await post('/board/doctor');
      const words = h('pre', { tabIndex: 0, 'aria-label': text('doctor result'), role: 'region', lang: 'en' }, found.text);
      fill(result, words, copyButton(words));
    } catch (error) {
      fill(result, alertLine(error));
    }
    run.disabled = false;
  };
  return h('section', { class: 'panel' }, h('h2', {}, text('doctor')), h('p', {}, text('doctor what')), h('p', {}, run), result);
}

/** Calibrating needs the board for itself: the page says how, step by step. */
function calibrating() {
  const steps = ['calibrate stop', 'calibrate run', 'calibrate squares', 'calibrate lights', 'calibrate try', 'calibrate use'];
  return h(
    'section',
    { class: 'panel' },
    h('h2', {}, text('calibrate')),
    h('p', {}, text('calibrate what')),
    h('details', { class: 'fold' }, h('summary', {}, text('calibrate how')), h('ol', {}, steps.map((step) => h('li', {}, text(step))))),
  );
}

/** Copying is not allowed on plain HTTP; there the text is marked for Ctrl+C. @param {HTMLElement} words */
function copyButton(words) {
  const button = h('button', { type: 'button', class: 'small', onclick: () => copy() }, text('copy'));
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(words.textContent ?? '');
      say(button, text('copied'));
    } catch {
      getSelection()?.selectAllChildren(words);
      say(button, text('marked'));
    }
  };
  return button;
}
