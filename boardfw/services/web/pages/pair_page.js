// Pairing: this device proves that it is allowed, by a code from the console or by a knock at the board.

import { fill, h, say } from './dom.js';
import { get, post } from './server.js';
import { text } from './texts.js';

/** @typedef {import('./app.js').App} App */

const ASK_MS = 700;

/** @param {App} app */
export async function start(app) {
  app.setHeading(text('pair heading'));
  app.showLoading();
  const code = decodeURIComponent(location.hash.slice(1));
  if (code) {
    // The code leaves the address at once: not in the history, not over a shoulder.
    history.replaceState(null, '', '/pair');
    if (await pairedWith(app, code)) return;
  }
  const session = await app.session();
  if (session.role !== null && session.claimed) {
    app.setCondition('live');
    app.show(h('div', { class: 'narrow' }, h('p', {}, text('pair paired', text(`role ${session.role}`))), h('p', {}, h('a', { class: 'button main', href: '/' }, text('to the board'))), session.role === 'owner' && session.can_knock ? knockPanel(app) : null));
    return;
  }
  app.setCondition(session.claimed ? 'live' : 'unclaimed');
  app.show(
    h(
      'div',
      { class: 'narrow' },
      session.claimed ? null : h('p', { class: 'card setup' }, text('pair unclaimed')),
      session.can_knock ? knockPanel(app) : null,
      codePanel(app),
    ),
  );
}

/** What this device is called in the owner's list. */
function deviceName() {
  const found = /(iPhone|iPad|Android|Windows|Macintosh|CrOS|Linux)/.exec(navigator.userAgent)?.[1] ?? '';
  const browser = /(Firefox|Edg|Chrome|Safari)/.exec(navigator.userAgent)?.[1] ?? 'Browser';
  return [browser.replace('Edg', 'Edge'), found].filter(Boolean).join(', ');
}

/** @param {App} app @param {string} code @returns {Promise<boolean>} */
async function pairedWith(app, code) {
  try {
    await post('/pair', { code, name: deviceName() });
  } catch (error) {
    app.trouble(error);
    return false;
  }
  location.replace('/');
  return true;
}

/** @param {App} app */
function codePanel(app) {
  const code = h('input', { type: 'text', autocomplete: 'one-time-code', autocapitalize: 'none', spellcheck: false });
  const send = (/** @type {Event} */ event) => {
    event.preventDefault();
    if (code.value.trim()) void pairedWith(app, code.value.trim());
  };
  return h(
    'form',
    { class: 'panel', onsubmit: send },
    h('h2', {}, text('pair with code')),
    h('p', {}, text('pair code where')),
    h('label', { class: 'field' }, h('span', {}, text('pair code')), code),
    h('button', { type: 'submit' }, text('pair button')),
  );
}

/** The knock: four squares, one after another, while the board counts along. @param {App} app */
function knockPanel(app) {
  const content = h('div', {});
  const begin = h('button', { type: 'button', class: 'main', onclick: () => ask() }, text('knock start'));
  const ask = async () => {
    begin.disabled = true;
    try {
      const found = await post('/pair/knock', { name: deviceName() });
      watch(found.squares);
    } catch (error) {
      app.trouble(error);
      begin.disabled = false;
    }
  };
  /** @param {string[]} squares */
  const watch = (squares) => {
    const items = squares.map((square) => h('li', {}, h('strong', {}, square), h('span', {})));
    const left = h('p', { class: 'tip' });
    fill(content, h('p', {}, text('knock now')), h('ol', { class: 'knock' }, items), left);
    app.announce(`${text('knock now')} ${squares.join(', ')}`);
    let seen = -1;
    const look = async () => {
      let answer;
      try {
        answer = await get('/pair/knock');
      } catch {
        window.setTimeout(look, ASK_MS);
        return;
      }
      if (answer.state === 'done') {
        location.replace('/');
        return;
      }
      if (answer.state !== 'waiting') {
        fill(content, h('p', { class: 'alert', role: 'alert' }, text('knock failed')), begin);
        begin.disabled = false;
        return;
      }
      say(left, text('knock left', Math.ceil(answer.left_ms / 1000)));
      if (answer.seen !== seen) {
        seen = answer.seen;
        items.forEach((item, at) => {
          item.className = at < seen ? 'seen' : at === seen ? 'next' : '';
          say(/** @type {Element} */ (item.lastElementChild), at < seen ? `✓ ${text('knock seen')}` : at === seen ? `← ${text('knock next')}` : '');
        });
        if (seen > 0) app.announce(`${squares[seen - 1]} ${text('knock seen')}`);
      }
      window.setTimeout(look, ASK_MS);
    };
    void look();
  };
  fill(content, h('p', {}, text('knock what')), begin);
  return h('section', { class: 'panel' }, h('h2', {}, text('knock heading')), content);
}
