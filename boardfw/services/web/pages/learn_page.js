// Lessons: what there is, how far one has come, and what is due again. They are given at the board.

import { fill, h } from './dom.js';
import { get, newId, post } from './server.js';
import { spoken, text } from './texts.js';

/** @typedef {import('./app.js').App} App */
/** @typedef {import('./types.js').Languages} Languages */
/** @typedef {{id: string, title: string, goal: string, done: number, passed: boolean, gold: boolean, open: boolean, also?: Languages}} Lesson */
/** @typedef {{courses: {id: string, title: string, lessons: Lesson[]}[], due: number, next: string | null, profile: string, profiles: string[]}} Courses */

/** Who has learnt in this browser last. */
const PROFILE_KEY = 'boardfw profile';

/** @param {App} app */
export async function start(app) {
  app.setHeading(text('learn heading'));
  app.showLoading();
  await app.session();
  await show(app, localStorage.getItem(PROFILE_KEY) ?? 'guest');
}

/** @param {App} app @param {string} profile */
async function show(app, profile) {
  /** @type {Courses} */
  let found;
  try {
    found = await get(`/learn?profile=${encodeURIComponent(profile)}`);
  } catch (error) {
    const status = /** @type {any} */ (error).status;
    // A profile that was deleted elsewhere: the guest is always there.
    if (status === 422 && profile !== 'guest') return show(app, 'guest');
    if (status !== 404) throw error;
    app.showInstead('empty', text('learn at board'));
    return;
  }
  localStorage.setItem(PROFILE_KEY, found.profile);
  if (!found.courses.length) {
    app.showInstead('empty', text('learn none'));
    return;
  }
  app.setCondition('live');
  const due = found.due === 1 ? text('learn due one') : found.due ? text('learn due', found.due) : text('learn none due');
  const all = found.courses.flatMap((course) => course.lessons);
  const next = all.find((lesson) => lesson.id === found.next);
  app.show(
    h(
      'section',
      { class: 'panel' },
      found.profiles.length > 1 ? profileChoice(app, found) : null,
      h('p', {}, due),
      next ? h('p', {}, text('learn next'), ' ', h('strong', ...spoken(next, 'title'))) : null,
      h('button', { type: 'button', class: 'main', onclick: () => begin(app, null, found.profile) }, text('learn go on')),
    ),
    h('div', { class: 'columns' }, found.courses.map((course) => courseCard(app, course, found))),
  );
}

/** Who learns: one touch. @param {App} app @param {Courses} found */
function profileChoice(app, found) {
  const choose = (/** @type {string} */ name) => show(app, name).catch((error) => app.trouble(error));
  const buttons = found.profiles.map((name) =>
    h(
      'button',
      { type: 'button', 'aria-pressed': String(name === found.profile), onclick: () => choose(name) },
      name === 'guest' ? text('learn guest') : name,
    ),
  );
  return h('div', { role: 'group', 'aria-label': text('learn who'), class: 'row' }, h('span', {}, text('learn who')), buttons);
}

/** @param {App} app @param {string | null} lesson null: what is due, then what comes next @param {string} profile */
async function begin(app, lesson, profile) {
  try {
    await post('/learn/start', { lesson, profile, id: newId() });
    location.assign('/');
  } catch (error) {
    app.trouble(error);
  }
}

/** @param {App} app @param {{title: string, lessons: Lesson[]}} course @param {Courses} found */
function courseCard(app, course, found) {
  const list = h('ul', { class: 'lessons' });
  fill(list, course.lessons.map((lesson) => lessonItem(app, lesson, found.profile)));
  return h('section', { class: 'panel' }, h('h2', {}, text('learn course')), list);
}

/** @param {App} app @param {Lesson} lesson @param {string} profile */
function lessonItem(app, lesson, profile) {
  const percent = Math.round(100 * lesson.done);
  const how = lesson.gold ? text('learn gold') : lesson.passed ? text('learn passed') : text('learn done', percent);
  const word = text(lesson.passed ? 'learn once more' : percent ? 'learn go on' : 'learn start');
  const [, title] = spoken(lesson, 'title');
  return h(
    'li',
    {},
    h('span', { class: 'about' }, h('strong', ...spoken(lesson, 'title')), h('span', ...spoken(lesson, 'goal', { class: 'tip' })), h('span', { class: 'tip' }, how)),
    h('progress', { max: 100, value: percent, 'aria-label': title }),
    h('button', { type: 'button', class: 'small', 'aria-label': `${title}: ${word}`, onclick: () => begin(app, lesson.id, profile) }, word),
  );
}
