// What can be set: this page's language, what the board offers, and which devices may do something.

import { chooseLanguage, chosenLanguage } from './app.js';
import { codeAgain, wantsCode } from './code_again.js';
import { h } from './dom.js';
import { linksPanel } from './links_panel.js';
import { get, put, remove } from './server.js';
import { hasText, language, spoken, text } from './texts.js';

/** @typedef {import('./app.js').App} App */
/** @typedef {{key: string, value: unknown, kind: string, min: number | null, max: number | null, choices: string[], says: string, needs_restart: boolean, also?: import('./types.js').Languages}} Setting */

/** @param {App} app */
export async function start(app) {
  app.setHeading(text('settings heading'));
  app.showLoading();
  const session = await app.session();
  if (session.role === null) {
    app.showForbidden();
    return;
  }
  /** @type {Setting[]} */
  let settings = [];
  if (session.role === 'owner') {
    const found = await get('/settings').catch((/** @type {any} */ error) => {
      if (error.status === 404 || error.status === 403) return null;
      throw error;
    });
    settings = found?.settings ?? [];
  }
  app.setCondition('live');
  app.show(
    h(
      'div',
      { class: 'columns' },
      h('div', {}, session.role === 'owner' ? boardPanel(app, settings) : null, languagePanel()),
      h('div', {}, devicesPanel(app, session), session.role === 'owner' ? linksPanel(app) : null),
    ),
  );
}

function languagePanel() {
  const choice = h(
    'select',
    { onchange: () => chooseLanguage(choice.value) },
    [['', text('language auto')], ['en', 'English'], ['de', 'Deutsch']].map(([value, words]) => h('option', { value }, words ?? '')),
  );
  choice.value = chosenLanguage() ?? '';
  return h('section', { class: 'panel' }, h('h2', {}, text('this page')), h('label', { class: 'field' }, h('span', {}, text('language')), choice), h('p', {}, h('a', { href: '/plain' }, text('plain page')), ' · ', h('a', { href: '/kiosk' }, 'Kiosk')));
}

/** @param {App} app @param {Setting[]} settings */
function boardPanel(app, settings) {
  const [fixed, free] = [true, false].map((is) => settings.filter((setting) => setting.needs_restart === is));
  const lines = (free ?? []).map((setting) => settingLine(app, setting));
  const rest = (fixed ?? []).flatMap(({ key, value }) => [h('dt', {}, key), h('dd', {}, String(value))]);
  return h(
    'section',
    { class: 'panel' },
    h('h2', {}, text('settings board')),
    lines.length ? lines : h('p', { class: 'tip' }, text('settings none')),
    rest.length ? h('details', { class: 'fold' }, h('summary', {}, text('settings fixed')), h('p', { class: 'tip' }, text('settings file')), h('dl', { class: 'keys' }, rest)) : null,
  );
}

/** @param {Setting} setting @returns {string[]} what a number may be, each */
function levels({ min, max }) {
  const [least, most] = [Number(min), Number(max)];
  return Array.from({ length: most - least + 1 }, (_, above) => String(least + above));
}

/** @param {App} app @param {Setting} setting */
function settingLine(app, setting) {
  /** @param {unknown} value @param {() => void} asBefore */
  const keep = async (value, asBefore) => {
    try {
      await put('/settings', { [setting.key]: value });
      setting.value = /** @type {any} */ (value);
      app.notice(text('settings saved'));
    } catch (error) {
      asBefore();
      app.trouble(error);
    }
  };
  const name = hasText(`set ${setting.key}`) ? text(`set ${setting.key}`) : setting.key;
  const later = setting.says ? h('span', ...spoken(setting, 'says', { class: 'tip' })) : null;
  if (setting.kind === 'bool') {
    const box = h('input', { type: 'checkbox', checked: Boolean(setting.value), onchange: () => keep(box.checked, () => (box.checked = Boolean(setting.value))) });
    return h('div', { class: 'field' }, h('label', { class: 'choice' }, box, name), later);
  }
  const isNumber = setting.kind === 'number';
  const isLevel = setting.key.startsWith('help.');
  if (setting.kind === 'choice' || isLevel) {
    const choices = isLevel ? levels(setting) : setting.choices;
    const asBefore = () => (choice.value = String(setting.value));
    const choice = h(
      'select',
      { onchange: () => keep(isNumber ? Number(choice.value) : choice.value, asBefore) },
      choices.map((one) => h('option', { value: one }, isLevel ? text(`help ${one}`) : one)),
    );
    asBefore();
    return h('label', { class: 'field' }, h('span', {}, name), choice, isLevel ? null : later);
  }
  const field = h('input', {
    type: isNumber ? 'number' : 'text', min: setting.min, max: setting.max, step: isNumber ? 'any' : undefined, value: String(setting.value ?? ''),
    onchange: () => keep(isNumber ? Number(field.value) : field.value, () => (field.value = String(setting.value ?? ''))),
  });
  return h('label', { class: 'field' }, h('span', {}, name), field, later);
}

/** @param {App} app @param {import('./types.js').Session} session */
function devicesPanel(app, session) {
  const when = new Intl.DateTimeFormat(language(), { dateStyle: 'medium', timeStyle: 'short' });
  const list = h('ul', { class: 'lessons' });
  for (const device of session.sessions) {
    const name = device.name || text('device this');
    const item = h(
      'li',
      {},
      h(
        'span',
        { class: 'about' },
        h('strong', {}, name),
        h('span', { class: 'tip' }, [text(`role ${device.role}`), device.mine ? text('device this') : text('device last', when.format(device.last))].join(' · ')),
      ),
    );
    if (!device.mine && session.role === 'owner') {
      const revoke = async () => {
        try {
          await remove(`/session/${device.id}`);
          item.remove();
          app.notice(text('revoked', name));
        } catch (error) {
          if (wantsCode(error)) item.append(codeAgain(revoke));
          else app.trouble(error);
        }
      };
      item.append(h('button', { type: 'button', class: 'small', 'aria-label': text('revoke device', name), onclick: revoke }, text('revoke')));
    }
    list.append(item);
  }
  const leave = async () => {
    try {
      await remove('/session');
      location.assign('/pair');
    } catch (error) {
      app.trouble(error);
    }
  };
  return h(
    'section',
    { class: 'panel' },
    h('h2', {}, text('devices')),
    h('p', { class: 'tip' }, text('devices what')),
    list,
    h('p', {}, h('button', { type: 'button', onclick: leave }, text('log out'))),
  );
}
