import { headingText } from './headings.js';

// What two columns are called that are the ends of one range.

/** Words of first ones, each with those of last ones. */
const pairs: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    from: ['to', 'until', 'till', 'through', 'before'],
    since: ['until', 'till', 'before'],
    start: ['end'],
    starts: ['ends'],
    begin: ['end'],
    begins: ['ends'],
    opening: ['closing'],
    opens: ['closes'],
    min: ['max'],
    minimum: ['maximum'],
    lower: ['upper'],
    lowest: ['highest'],
    low: ['high'],
    von: ['bis'],
    ab: ['bis'],
    mindestens: ['höchstens'],
    alkaen: ['asti', 'saakka'],
    alkaa: ['päättyy', 'loppuu'],
    beginn: ['ende'],
    från: ['till'],
    fra: ['til'],
    van: ['tot'],
    desde: ['hasta'],
    od: ['do'],
    de: ['à', 'a'],
    du: ['au'],
    da: ['a'],
    dal: ['al'],
    début: ['fin'],
    inicio: ['fin'],
    inizio: ['fine'],
    mini: ['maxi'],
    mínimo: ['máximo'],
    minimo: ['massimo'],
  }),
);

const longestTitle = 200;

interface Word {
  readonly text: string;
  readonly at: number;
}

/** `minScore`, `score_max` and `Age (from)` are words, too. */
const wordsOf = (title: string): readonly Word[] =>
  title.length > longestTitle
    ? []
    : [...title.matchAll(/\p{Lu}?\p{Ll}+|\p{Lu}+(?!\p{Ll})|\p{N}+/gu)].map(({ 0: text, index: at }) => ({
        text: text.toLowerCase(),
        at,
      }));

/** What two names have in common, where they differ by such a pair of words alone; undefined where they do not. */
export function sharedName(one: string, another: string): string | undefined {
  const [first, last] = [headingText(one), headingText(another)];
  const [words, others] = [wordsOf(first), wordsOf(last)];
  const restOf = (all: readonly Word[], without: Word): string =>
    all.flatMap((word) => (word === without ? [] : [word.text])).join(' ');
  for (const word of words) {
    const other = others.find(({ text }) => pairs.get(word.text)?.includes(text) === true);
    if (other !== undefined && restOf(words, word) === restOf(others, other)) return without(first, word);
  }
  return undefined;
}

function without(title: string, { at, text }: Word): string {
  const rest = `${title.slice(0, at)}${title.slice(at + text.length)}`.replace(/\(\s*\)|\[\s*\]/g, '');
  const name = rest.replace(/([\s_.-])[\s_.-]+/g, '$1').replace(/^[\s_.,:/-]+|[\s_.,:/-]+$/g, '');
  // `minScore` is about the `score`, `minLTV` about the `LTV`.
  return /^\p{Ll}/u.test(title) && at === 0 && /^\p{Lu}\p{Ll}/u.test(name) && rest.startsWith(name)
    ? `${name.slice(0, 1).toLowerCase()}${name.slice(1)}`
    : name;
}
