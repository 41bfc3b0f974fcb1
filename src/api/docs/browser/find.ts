// Which parts of the guides a query means. By itself, without a page, so that tests ask it too.

/** What `search.json` has. */
export interface Entry {
  readonly page: string;
  readonly title: string;
  readonly heading: string;
  readonly text: string;
}

const most = 8;

/** Words of questions that say nothing about what is asked for. */
const empty = new Set(
  'a an and as do does for from get getting how i in is it my of on or the through to what with'.split(' '),
);

/** What readers call things that the guides call otherwise: beginnings of words. */
const synonyms: Readonly<Record<string, readonly string[]>> = {
  auth: ['token', 'client'],
  ci: ['pipeline'],
  cli: ['command', 'verdict'],
  continuous: ['pipeline'],
  handl: ['repeat'],
  integration: ['pipeline'],
  paginat: ['page', 'paging'],
  permission: ['scope', 'role'],
  quota: ['limit'],
  rbac: ['role'],
  sdk: ['generator'],
  throttl: ['limit', 'rate'],
  verify: ['check', 'signature', 'signed'],
};

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

/** The part of a word that its other forms have, too. */
function stemOf(word: string): string {
  const stem = word.replace(/(?<=\w{3})(ies|ing|ed|es|e|s|y)$/, '');
  return /([^aeiouls])\1$/.test(stem) ? stem.slice(0, -1) : stem;
}

/** Beginnings of words, each of which will do. Short ones are whole words: `ci` is no part of `decision`. */
const meaningsOf = (word: string): readonly string[] => {
  const stem = stemOf(word);
  const known = Object.entries(synonyms).find(([name]) =>
    name.length < 4 ? name === word : stem.startsWith(stemOf(name)),
  );
  return [stem, ...(known?.[1].map(stemOf) ?? [])];
};

const begins = (word: string, stem: string): boolean => (stem.length < 3 ? word === stem : word.startsWith(stem));

/** The parts that have all words of a query, in other forms and by other names too, those in whose headings they are first. */
export function find(entries: readonly Entry[], query: string): readonly Entry[] {
  const asked = wordsOf(query);
  const telling = asked.filter((word) => !empty.has(word));
  const wanted = (telling.length === 0 ? asked : telling).map(meaningsOf);
  if (wanted.length === 0) return [];
  const rank = ({ title, heading, text }: Entry): number => {
    const places = [heading, title, text].map(wordsOf);
    let sum = 0;
    for (const meanings of wanted) {
      const place = places.findIndex((words) => words.some((word) => meanings.some((stem) => begins(word, stem))));
      if (place < 0) return 0;
      sum += [4, 3, 1][place] ?? 0;
      // The reader's own word counts for more than another name of it.
      if (places[place]?.some((word) => begins(word, meanings[0] ?? ''))) sum += 1;
    }
    return sum + (heading.toLowerCase().startsWith(query.toLowerCase().trim()) ? 4 : 0);
  };
  return entries
    .map((entry) => ({ entry, score: rank(entry) }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score)
    .slice(0, most)
    .map(({ entry }) => entry);
}
