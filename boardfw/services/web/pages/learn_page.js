// Lessons: what there is, how far one has come, and what is due again. They are given at the board.

import { h } from './dom.js';
import { get, post } from './server.js';
import { text } from './texts.js';

/** @typedef {import('./app.js').App} App */
/** @typedef {{id: string, title: string, done: number}} Lesson */

/** @param {App} app */
export async function start(app) {
  app.setHeading(text('learn heading'));
  app.showLoading();
  await app.session();
  let found;
  try {
    found = await get('/learn');
  } catch (error) {
    // A board that cannot give lessons over the network says that there is no such thing.
    if (/** @type {any} */ (error).status !== 404) throw error;
    app.showInstead('empty', text('learn at board'));
    return;
  }
  const courses = found.courses ?? [];
  if (!courses.length) {
    app.showInstead('empty', text('learn none'));
    return;
  }
  app.setCondition('live');
  const due = h('p', {}, found.due ? text('learn due', found.due) : text('learn none due'));
  app.show(due, h('div', { class: 'columns' }, courses.map((/** @type {any} */ course) => courseCard(app, course))));
}

/** @param {App} app @param {{title: string, lessons: Lesson[]}} course */
function courseCard(app, course) {
  const begin = async (/** @type {string} */ lesson) => {
    try {
      await post('/learn/start', { lesson });
      location.assign('/');
    } catch (error) {
      app.trouble(error);
    }
  };
  const lessons = course.lessons.map((lesson) => {
    const percent = Math.round(100 * lesson.done);
    return h(
      'li',
      {},
      h('span', { class: 'about' }, h('strong', {}, lesson.title), h('span', { class: 'tip' }, text('learn done', percent))),
      h('progress', { max: 100, value: percent, 'aria-label': lesson.title }),
      h(
        'button',
        { type: 'button', class: 'small', 'aria-label': `${lesson.title}: ${text(percent ? 'learn go on' : 'learn start')}`, onclick: () => begin(lesson.id) },
        text(percent ? 'learn go on' : 'learn start'),
      ),
    );
  });
  return h('section', { class: 'panel' }, h('h2', {}, course.title), h('ul', { class: 'lessons' }, lessons));
}
