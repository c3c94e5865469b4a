// A code once more, before somebody changes who is known to the board.

import { alertLine, fill, h } from './dom.js';
import { post } from './server.js';
import { text } from './texts.js';

/** Whether the board wants to know once more that its owner is here. @param {any} error */
export const wantsCode = (error) => error?.status === 403 && error.body?.where === 'code';

/** The code again, and then what was to be done. @param {() => unknown} then */
export function codeAgain(then) {
  const code = h('input', { type: 'text', autocomplete: 'one-time-code', autocapitalize: 'none', spellcheck: false, required: true });
  const said = h('div', { role: 'alert' });
  const send = async (/** @type {Event} */ event) => {
    event.preventDefault();
    try {
      // The whole address is a code as well.
      await post('/session/prove', { code: code.value.trim().replace(/^.*#/, '') });
    } catch (error) {
      fill(said, alertLine(error));
      return;
    }
    form.remove();
    void then();
  };
  const form = h('form', { class: 'panel', onsubmit: send }, h('p', {}, text('code again')), h('label', { class: 'field' }, h('span', {}, text('pair code')), code), said, h('button', { type: 'submit' }, text('code go on')));
  return form;
}
