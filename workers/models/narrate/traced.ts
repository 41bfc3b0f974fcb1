import { isRecord } from '../../json/index.js';
import type { Failed } from './missing.js';

/** A row of a table of which no row matched, and the few of its conditions that failed. */
export interface NearestRow {
  readonly index: number;
  readonly missed: readonly { readonly column: string; readonly condition: string; readonly value?: string }[];
}

/** An entry of a trace. */
export interface Traced {
  readonly id: string;
  readonly name: string;
  readonly order: number;
  readonly input: unknown;
  readonly output: unknown;
  readonly traceData: unknown;
  readonly error?: Failed;
  readonly nearest?: NearestRow;
  readonly passedOver?: readonly { readonly index: number; readonly message: string }[];
}

/** Sentences of one step. */
export const maxSentences = 40;

/** Characters of a sentence: a cell of a table may have a megabyte. */
const longestSentence = 2000;

/** A sentence, or a name that stands before some, cut where nobody would read on. */
export const readable = (text: string): string =>
  text.length > longestSentence ? `${text.slice(0, longestSentence).toWellFormed()}…` : text;

export type Fields = Readonly<Record<string, unknown>>;

/** An object; one without members in place of anything else. */
export const fields = (value: unknown): Fields => (isRecord(value) ? value : {});

/** The items of a list, each in its place. */
export const list = (value: unknown): readonly Fields[] => (Array.isArray(value) ? value.map(fields) : []);

/** A text; an empty one in place of anything else. */
export const textIn = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The nodes of a model by their ids. */
export const nodesOf = (document: unknown): Map<string, Fields> =>
  new Map(list(fields(document)['nodes']).map((node) => [String(node['id']), node]));
