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

/** "a, b and c". @param {string[]} parts */
export function list(parts) {
  if (parts.length < 2) return parts.join('');
  return parts.slice(0, -1).join(', ') + text('and') + parts[parts.length - 1];
}
