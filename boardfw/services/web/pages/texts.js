// The words of the pages in the language of this one. All of them, in English and German, are in `texts.json`; the server
// sends those of one language alone, as `texts.en.json`. `{0}`, `{1}` … are what is put in.

/** @type {Record<string, string>} */
let texts = {};
/** @type {'en' | 'de'} */
let chosen = 'en';

/** The language of the page. */
export const language = () => chosen;

/** Speak this language with these words. @param {'en' | 'de'} name @param {Record<string, string>} words */
export function speak(name, words) {
  chosen = name;
  texts = words;
}

/** Fetch the words of a language and speak it; everything but German is English. @param {string} name */
export async function learn(name) {
  const known = name.toLowerCase().startsWith('de') ? 'de' : 'en';
  speak(known, await (await fetch(new URL(`texts.${known}.json`, import.meta.url))).json());
}

/** Whether there is such a text. @param {string} key */
export const hasText = (key) => key in texts;

/**
 * A text in the language of the page. One that is not in the table is shown by its key: strange, but never nothing.
 * @param {string} key
 * @param {...(string | number)} values
 */
export function text(key, ...values) {
  return (texts[key] ?? key).replace(/\{(\d)\}/g, (_, number) => String(values[Number(number)] ?? ''));
}

/**
 * What an element says of a word of the board: its attributes, and the word in the language of the page, else in English.
 * @param {any} part a part of what the board sends @param {string} key @param {Record<string, any>} [attributes]
 * @returns {[Record<string, any>, string]}
 */
export function spoken(part, key, attributes = {}) {
  const other = part.also?.[chosen]?.[key];
  return [{ ...attributes, lang: other || chosen === 'en' ? undefined : 'en' }, other ?? part[key] ?? ''];
}

/** "a, b and c". @param {string[]} parts */
export function list(parts) {
  if (parts.length < 2) return parts.join('');
  return parts.slice(0, -1).join(', ') + text('and') + parts[parts.length - 1];
}
