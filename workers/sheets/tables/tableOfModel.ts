import { headingText } from '../../cells/index.js';
import { isRecord } from '../../json/index.js';
import { createHash } from 'node:crypto';
import { shownSource } from '../files/grid.js';

export type Json = Readonly<Record<string, unknown>>;

/** A decision table and where it stands in its model. */
export interface FoundTable {
  /** In the model's `nodes`. */
  readonly index: number;
  readonly node: Json;
  readonly content: Json;
  /** Of a document of DMN: ids of columns that are numbers by their types. */
  readonly numbers?: ReadonlySet<string>;
}

/** A column of a table as its model has it. */
export interface Column {
  readonly id: string;
  readonly kind: 'input' | 'output';
  /** What stands above it in a sheet. */
  readonly head: string;
  readonly item: Json;
}

/** The columns of ours beside the table's own. */
export const idHead = '_id';
export const descriptionHead = '_description';

/** Undefined where the model has no node of that id, or it is no table. */
export function findTable(model: unknown, nodeId: string): FoundTable | undefined {
  const nodes = isRecord(model) && Array.isArray(model['nodes']) ? (model['nodes'] as unknown[]) : [];
  const index = nodes.findIndex((node) => isRecord(node) && node['id'] === nodeId);
  const node = nodes[index];
  if (!isRecord(node) || node['type'] !== 'decisionTableNode') return undefined;
  return { index, node, content: isRecord(node['content']) ? node['content'] : {} };
}

/** Columns without an id are none, here as for the engine. */
export function columnsOf(content: Json): Column[] {
  const of = (kind: Column['kind']): Column[] =>
    listOf(content[`${kind}s`]).flatMap((item) => {
      if (!isRecord(item) || typeof item['id'] !== 'string') return [];
      return [{ id: item['id'], kind, head: headOf(item, item['id']), item }];
    });
  return [...of('input'), ...of('output')];
}

const headOf = ({ name, field }: Json, id: string): string =>
  headingText([name, field].find((text): text is string => typeof text === 'string' && text.trim() !== '') ?? id);

export const rulesOf = (content: Json): Json[] => listOf(content['rules']).map((rule) => (isRecord(rule) ? rule : {}));

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? (value as unknown[]) : []);

/** All of a table but its rows. */
export const settingsOf = ({ rules: _rules, ...settings }: Json): Json => settings;

/** A table's settings with some of its columns, by their ids, changed. */
export function settingsWithItems(settings: Json, ids: ReadonlySet<string>, change: (item: Json) => Json): Json {
  if (ids.size === 0) return settings;
  const changed = (item: unknown): unknown => (isRecord(item) && ids.has(String(item['id'])) ? change(item) : item);
  return {
    ...settings,
    inputs: listOf(settings['inputs']).map(changed),
    outputs: listOf(settings['outputs']).map(changed),
  };
}

/** What a row is known by in a file: its `_id`, or its index where it has none of its own. */
export function keysOf(rules: readonly Json[]): string[] {
  const seen = new Set<string>();
  return rules.map(({ _id: id }, index) => {
    if (typeof id !== 'string' || id === '' || seen.has(id)) return `#${index}`;
    seen.add(id);
    return id;
  });
}

/** What a sheet shows of a cell; undefined for an empty one. */
export function shownCell(value: unknown): string | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  return shownSource(typeof value === 'string' ? value : JSON.stringify(value));
}

/** Whether a cell of a file says what a sheet shows of the present one. Programs change line ends. */
export const isShown = (present: string | undefined, file: string | undefined): boolean =>
  present === file || (present !== undefined && file !== undefined && lines(present) === lines(file));

const lines = (text: string): string => (text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text);

/** What two texts have in common that programs take for the same cell: Excel writes `true` as TRUE. */
const alike = (text: string): string =>
  (text.length === 4 || text.length === 5) && /^(?:true|false)$/i.test(text) ? text.toLowerCase() : lines(text);

/** What a row holds, for comparisons with another time. */
export function digestOf(cells: readonly (string | undefined)[]): string {
  const text = JSON.stringify(cells.map((cell) => (cell === undefined ? null : alike(cell))));
  return createHash('sha256').update(text).digest('base64url').slice(0, 16);
}

/** The cells of a row in the order of the columns, and its description. */
export const shownRow = (rule: Json, columns: readonly Pick<Column, 'id'>[]): (string | undefined)[] => [
  ...columns.map(({ id }) => shownCell(rule[id])),
  shownCell(rule[descriptionHead]),
];

/** What a row shows. Its digest is made where it is asked for: most rows of a file are as they are in the table. */
export class ShownRow {
  readonly #cells: readonly (string | undefined)[];
  #digest: string | undefined;

  constructor(cells: readonly (string | undefined)[]) {
    this.#cells = cells;
  }

  get digest(): string {
    return (this.#digest ??= digestOf(this.#cells));
  }

  /** Whether a row of a file, of the same columns, says what this one shows. */
  isShownBy(file: ShownRow): boolean {
    return this.#cells.every((cell, at) => isShown(cell, file.#cells[at]));
  }
}
