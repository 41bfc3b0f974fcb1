import { Recent } from '../recent/index.js';
import { changeTokens } from '../json/index.js';
import { finderOf, type Finder } from './redact/finder.js';
import { leavesOf, variantsOf } from './redact/variants.js';
import type { Value, VariableReads } from './values.js';

/** What a secret reads as. */
const mark = '[REDACTED]';

/**
 * Redacts the secrets of one run from what leaves the worker, but only those that it has read so far. A secret that the
 * run did not read can only be there as a caller's guess, and redacting it would confirm the guess.
 */
export interface RunSecrets extends VariableReads {
  /** A plain text, such as an error's message, without secrets. */
  readonly text: (text: string) => string;
  /** A JSON text without secrets; it is JSON too: a number that shows a secret becomes the text `[REDACTED]`. */
  readonly json: (json: string) => string;
  /**
   * As `text`; words in quotation marks that are part of a secret are redacted too, because parsers quote single words.
   */
  readonly message: (message: string) => string;
}

/** Takes the secrets of one environment out of what leaves the worker. */
export interface Redactor {
  readonly forRun: () => RunSecrets;
}

/** Where there are no secrets. */
const nothing: RunSecrets = {
  noteRead: () => undefined,
  noteAllRead: () => undefined,
  text: (text) => text,
  json: (json) => json,
  message: (message) => message,
};

/** What is searched for when certain secrets were read. */
interface Search {
  readonly finder: Finder;
  readonly leaves: readonly string[];
}

/** Searches of all environments on this thread by redactor and secrets read, bounded in bytes. */
const searches = new Recent<Search>({ maxCount: 10_000, maxWeight: 16 * 1024 * 1024 });
const weightOf = ({ finder, leaves }: Search): number =>
  leaves.reduce((sum, { length }) => sum + length, finder.weight);
let redactors = 0;

/**
 * Makes the redactor of secret variables (any JSON) by their names. What is looked for is every text, number and key of
 * 4 or more characters in the values of those that were read, in the forms of `variantsOf`.
 */
export function redactor(secrets: Readonly<Record<string, Value>>): Redactor {
  const names = Object.keys(secrets);
  if (names.length === 0) return { forRun: () => nothing };
  const id = String(++redactors);
  const isSecret: ReadonlySet<string> = new Set(names);
  return {
    forRun() {
      const read = new Set<string>();
      let key = id;
      let search: Search | undefined;
      const noteRead = (name: string): void => {
        if (!isSecret.has(name) || read.has(name)) return;
        read.add(name);
        key += ` ${name}`;
        search = undefined;
      };
      const current = (): Search | undefined => {
        if (read.size > 0) search ??= searchFor(key, [...read], secrets);
        return search;
      };
      return {
        noteRead,
        noteAllRead() {
          if (read.size === names.length) return;
          for (const name of names) read.add(name);
          key = `${id} *`;
          search = undefined;
        },
        text: (text) => textWith(current(), text),
        json: (json) => jsonWith(current(), json),
        message(message) {
          const found = current();
          return found === undefined ? message : withoutQuoted(found, textWith(found, message));
        },
      };
    },
  };
}

/**
 * @param key the redactor's id and the names that were read, in that order: runs of a model mostly read in the same one
 */
function searchFor(key: string, read: readonly string[], secrets: Readonly<Record<string, Value>>): Search {
  const cached = searches.get(key);
  if (cached !== undefined) return cached;
  const leaves = new Set<string>();
  for (const name of read) leavesOf(secrets[name] ?? null, leaves);
  const variants = new Set<string>();
  for (const leaf of leaves) {
    for (const variant of variantsOf(leaf)) {
      variants.add(variant);
      // As it stands in JSON, so that one pass over a JSON text shows whether there is anything to do.
      variants.add(JSON.stringify(variant).slice(1, -1));
    }
  }
  const search = { finder: finderOf(variants), leaves: [...leaves] };
  searches.set(key, search, weightOf(search), key.split(' ')[0]);
  return search;
}

function textWith(search: Search | undefined, text: string): string {
  const found = search?.finder.all(text) ?? [];
  if (found.length === 0) return text;
  const clean: string[] = [];
  let from = 0;
  for (const { start, end } of found) {
    clean.push(text.slice(from, start), mark);
    from = end;
  }
  return clean.join('') + text.slice(from);
}

function jsonWith(search: Search | undefined, json: string): string {
  if (search === undefined) return json;
  const { finder } = search;
  // Escapes that our own JSON does not use (`\\u…`, `\\/`) could hide a secret from a search of the raw text.
  if (!finder.isIn(json) && !/\\[u/]/.test(json)) return json;
  return changeTokens(json, {
    string(token) {
      const text = JSON.parse(token) as string;
      const clean = textWith(search, text);
      return clean === text ? token : JSON.stringify(clean);
    },
    number: (digits) => (finder.isIn(digits) ? `"${mark}"` : digits),
  });
}

/** What stands between quotation marks of messages, and the words in it. */
const quotation = /(['`])((?:(?!\1)[^])+)\1/g;
const words = /[\p{L}\p{N}_$]{4,}/gu;
/** Bounds the work: the parser's own quotations come first, later ones belong to the text that it quotes. */
const mostQuotations = 20;

function withoutQuoted({ leaves }: Search, message: string): string {
  let left = mostQuotations;
  const hidden = (word: string): string => (leaves.some((leaf) => leaf.includes(word)) ? mark : word);
  return message.replaceAll(quotation, (whole, sign: string, quoted: string) =>
    left-- > 0 ? `${sign}${quoted.replaceAll(words, hidden)}${sign}` : whole,
  );
}
