// The frame of every page: header, language, notices, what is read aloud, and which page it is.

import { byId, fill, h, say, troubleOf } from './dom.js';
import { get } from './server.js';
import { language, learn, text } from './texts.js';

/** @typedef {import('./types.js').Session} Session */
/** @typedef {'loading' | 'live' | 'stale' | 'empty' | 'error' | 'forbidden' | 'unclaimed'} Condition */

const LANGUAGE_KEY = 'boardfw language';
/** A thing that was done can be undone for so long. */
const UNDO_MS = 30_000;
const NOTICE_MS = 6_000;

/** What the links of the header lead to, in their order. */
const LINKS = [
  ['/', 'nav play'],
  ['/new', 'nav new'],
  ['/games', 'nav games'],
  ['/learn', 'nav learn'],
  ['/board', 'nav board'],
  ['/settings', 'nav settings'],
];

export class App {
  constructor() {
    this.page = byId('page');
    this.heading = byId('heading');
    this.log = byId('log');
    this.notices = byId('notices');
    this.board = '';
    this.title = '';
  }

  /**
   * The heading of the page, and its title, which names the board as well.
   * @param {string} heading
   * @param {string} [title] where the title differs from the heading
   */
  setHeading(heading, title = heading) {
    say(this.heading, heading);
    this.title = title;
    const board = this.board ? ` - ${text('board named', this.board)}` : '';
    if (document.title !== title + board) document.title = title + board;
  }

  /** @param {string} name */
  nameBoard(name) {
    if (name === this.board) return;
    this.board = name;
    const brand = document.querySelector('.brand-name');
    if (brand) say(brand, text('board named', name));
    if (this.title) this.setHeading(this.heading.textContent ?? '', this.title);
  }

  /** How the page is, for its looks and for tests. @param {Condition} condition */
  setCondition(condition) {
    document.body.dataset.condition = condition;
  }

  /** Read this aloud, once. @param {string} words */
  announce(words) {
    if (!words) return;
    this.log.append(h('p', {}, words));
    while (this.log.childElementCount > 5) this.log.firstElementChild?.remove();
  }

  /**
   * A line over the page: that something was done, with a way back where there is one.
   * @param {string} words
   * @param {{undo?: () => void, isTrouble?: boolean, lang?: string | undefined}} [options] `lang` where it is not the page's
   */
  notice(words, { undo, isTrouble = false, lang } = {}) {
    const line = h('div', { class: isTrouble ? 'notice trouble' : 'notice' }, h('span', { lang }, words));
    const go = () => line.remove();
    if (undo) {
      line.append(h('button', { type: 'button', class: 'small', onclick: () => (go(), undo()) }, text('undo')));
    }
    line.append(h('button', { type: 'button', class: 'small quiet', 'aria-label': text('close'), 'data-sign': '×', onclick: go }));
    // What was wrong before is over, or comes again; the same is not said twice at a time.
    const isOver = (/** @type {Element} */ one) => one.classList.contains('trouble') || one.firstElementChild?.textContent === words;
    [...this.notices.children].filter(isOver).forEach((one) => one.remove());
    this.notices.append(line);
    // Trouble stays until it is read.
    if (!isTrouble) window.setTimeout(go, undo ? UNDO_MS : NOTICE_MS);
  }

  /** @param {unknown} error */
  trouble(error) {
    const { message, lang } = troubleOf(error);
    this.notice(message, { isTrouble: true, lang });
  }

  /**
   * Put this in place of the page's content.
   * @param {...(Node | string | null | false)} children
   */
  show(...children) {
    fill(this.page, ...children);
  }

  /** What is shown while there is nothing yet. @param {string} [words] */
  showLoading(words = text('loading')) {
    this.setCondition('loading');
    this.show(h('p', { class: 'loading' }, words));
  }

  /**
   * What is shown in place of content: nothing there, an error with a way on, or no right to see it.
   * @param {Condition} condition
   * @param {string} words
   * @param {...(Node | null)} more
   */
  showInstead(condition, words, ...more) {
    this.setCondition(condition);
    const heading = { error: text('error heading'), forbidden: text('forbidden heading') }[String(condition)];
    this.show(
      h('div', { class: `instead ${condition}` }, heading ? h('h2', {}, heading) : null, h('p', {}, words), more),
    );
  }

  /**
   * Show why something could not be shown, and how to go on.
   * @param {any} error
   * @param {() => void} again
   */
  showError(error, again) {
    if (error?.status === 401 || error?.status === 403) {
      this.showForbidden(error.status === 403 ? error.message : undefined);
      return;
    }
    const retry = h('button', { type: 'button', class: 'main', onclick: again }, text('try again'));
    this.showInstead('error', troubleOf(error).message, retry);
  }

  /** @param {string} [words] */
  showForbidden(words = text('not allowed')) {
    this.showInstead('forbidden', words, h('a', { class: 'button main', href: '/pair' }, text('pair this')));
  }

  /** Who we are to the board; an unclaimed board has only one page to show. @returns {Promise<Session>} */
  async session() {
    const session = /** @type {Session} */ (await get('/session'));
    this.nameBoard(session.board);
    if (!session.claimed && location.pathname !== '/pair') location.replace('/pair');
    return session;
  }
}

/** The language that was chosen in this browser; null: as the page came. */
export const chosenLanguage = () => localStorage.getItem(LANGUAGE_KEY);

/** @param {string} name 'en', 'de', or '' for what the browser asks for */
export function chooseLanguage(name) {
  if (name) localStorage.setItem(LANGUAGE_KEY, name);
  else localStorage.removeItem(LANGUAGE_KEY);
  location.reload();
}

/** @param {App} app */
function frame(app) {
  document.documentElement.lang = language();
  say(/** @type {Element} */ (document.querySelector('.skip')), text('skip'));
  const isHere = (/** @type {string} */ path) =>
    path === '/' ? location.pathname === '/' : location.pathname.startsWith(path);
  const links = LINKS.map(([path, name]) =>
    h('a', { href: path, 'aria-current': isHere(path ?? '') ? 'page' : null }, text(name ?? '')),
  );
  const nav = h('nav', { id: 'pages', 'aria-label': text('nav label') }, links);
  const menu = h(
    'button',
    { type: 'button', class: 'menu', 'aria-expanded': 'false', 'aria-controls': 'pages', onclick: () => unfold() },
    text('menu'),
  );
  const unfold = () => {
    const isOpen = nav.classList.toggle('open');
    menu.setAttribute('aria-expanded', String(isOpen));
  };
  nav.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || !nav.classList.contains('open')) return;
    unfold();
    menu.focus();
  });
  const brand = h('a', { class: 'brand', href: '/' }, drawnBrand(), h('span', { class: 'brand-name' }, 'boardfw'));
  fill(byId('header'), brand, menu, nav);
  app.showLoading();
}

/** Four squares and a light: the sign of the house. */
function drawnBrand() {
  return h('span', { class: 'sign', 'aria-hidden': 'true' }, h('i'), h('i'), h('i'), h('i'));
}

/** Each page is a module of its own, fetched when it is wanted. @returns {Promise<{start: (app: App) => unknown}>} */
function pageModule() {
  const path = location.pathname;
  if (path === '/') return import('./live_page.js');
  if (path === '/kiosk') return import('./kiosk_page.js');
  if (path === '/new') return import('./new_page.js');
  if (path === '/games') return import('./games_page.js');
  if (path.startsWith('/games/')) return import('./game_page.js');
  if (path === '/learn') return import('./learn_page.js');
  if (path === '/board') return import('./board_page.js');
  if (path === '/settings') return import('./settings_page.js');
  return import('./pair_page.js');
}

async function begin() {
  const app = new App();
  try {
    await learn(chosenLanguage() ?? document.documentElement.lang);
    frame(app);
    const page = await pageModule();
    await page.start(app);
  } catch (error) {
    app.showError(error, () => location.reload());
  }
}

void begin();
