// Elements are made here and nowhere from text: no string is ever read as HTML, so that a name or a
// comment of a game is what it says and nothing else.

/** @typedef {Node | string | number | null | undefined | false} Child */

/**
 * An element with these properties and children. A property `on…` is a listener, one with a dash or
 * `role` an attribute, every other a property of the element; false, null and undefined are left out.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} name
 * @param {Record<string, unknown>} [properties]
 * @param {...(Child | Child[])} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function h(name, properties = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith('on')) {
      element.addEventListener(key.slice(2), /** @type {EventListener} */ (value));
    } else if (key.includes('-') || key === 'role' || key === 'for' || key === 'list') {
      element.setAttribute(key, value === true ? '' : String(value));
    } else {
      /** @type {any} */ (element)[key === 'class' ? 'className' : key] = value;
    }
  }
  append(element, children);
  return element;
}

/**
 * @param {Element} element
 * @param {(Child | Child[])[]} children
 */
function append(element, children) {
  for (const child of children.flat()) {
    if (child === null || child === undefined || child === false) continue;
    element.append(child instanceof Node ? child : document.createTextNode(String(child)));
  }
}

/**
 * Replace all children of an element.
 * @param {Element} element
 * @param {...(Child | Child[])} children
 */
export function fill(element, ...children) {
  element.replaceChildren();
  append(element, children);
}

/**
 * Write a text only when it differs: what a screen reader watches must not change without cause.
 * @param {Node} node
 * @param {string} text
 */
export function say(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

/**
 * Show or hide an element.
 * @param {HTMLElement} element
 * @param {boolean} isShown
 */
export function show(element, isShown) {
  if (element.hidden === isShown) element.hidden = !isShown;
}

/**
 * The main element of the page.
 * @param {string} id
 * @returns {HTMLElement}
 */
export function byId(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no element ${id}`);
  return found;
}

/** What has gone wrong in words, and the language of those where it is not the page's. @param {any} error @returns {{message: string, lang?: string}} */
export const troubleOf = (error) => ({ message: error?.message ?? String(error), lang: error?.lang });

/** The same as a line of a page. @param {unknown} error */
export function alertLine(error) {
  const { message, lang } = troubleOf(error);
  return h('p', { class: 'alert', lang }, message);
}
