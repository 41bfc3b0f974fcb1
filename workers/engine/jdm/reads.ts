import { maybeEverything } from '../../cells/index.js';
import { isRecord } from '../../json/index.js';
import { tableIn } from '../nodes/table.js';
import type { Table } from '../nodes/table/content.js';
import { addResult } from '../zen/resultShape.js';
import { Shape, type Step } from '../zen/shape.js';
import { addUses, pathOf, treeOf, type Scope } from '../zen/usage.js';
import { tableColumns } from './cellFaults.js';

/** What a model needs to know of a decision that one of its nodes runs. */
export interface SubSchemas {
  readonly input: unknown;
  readonly output: unknown;
  /** Its result has the fields of its fact, too. */
  readonly handsOn: boolean;
}

/** What goes from node to node. */
export interface Flow {
  /** Its path in the fact; undefined where it does not come from there. */
  readonly path: readonly Step[] | undefined;
  /** What earlier nodes have written. */
  readonly written: Shape;
}

export interface Surroundings {
  readonly input: Flow;
  /** What is read of the fact. */
  readonly fact: Shape;
}

/** A name is one of the fact's where no earlier node has written it. */
export function scopeOf({ path, written }: Flow, data: Shape): Scope {
  return {
    pathOf(name) {
      if (path === undefined || (name !== undefined && written.has(name))) return undefined;
      return name === undefined ? path : [...path, name];
    },
    data,
  };
}

export function readConditions(written: Iterable<{ readonly source: string }>, input: Flow, fact: Shape): void {
  for (const { source } of written) {
    const tree = treeOf(source, 'standard');
    if (tree !== undefined) addUses(tree, scopeOf(input, fact), 'boolean');
  }
}

export function readExpressions(
  content: Readonly<Record<string, unknown>>,
  { input, fact }: Surroundings,
  own: Shape,
): void {
  const scope = scopeOf(input, fact);
  const list = Array.isArray(content['expressions']) ? (content['expressions'] as unknown[]) : [];
  own.is('object');
  for (const item of list) {
    if (!isRecord(item) || typeof item['key'] !== 'string' || typeof item['value'] !== 'string') continue;
    const tree = treeOf(item['value'], 'standard');
    if (item['key'] === '' || tree === undefined) continue;
    addUses(tree, scope);
    addResult(tree, own.at(item['key'].split('.')));
  }
}

export function readRows(content: Readonly<Record<string, unknown>>, { input, fact }: Surroundings, own: Shape): void {
  const table = tableIn(content);
  const scope = scopeOf(input, fact);
  const row = table.collect ? own.items() : own;
  row.is('object');
  const columns = tableColumns({ type: 'decisionTableNode', content });
  const dates = new Set(columns.flatMap(({ id, column }) => (column.kind === 'date' ? id : [])));
  const times = new Set(columns.flatMap(({ id, column }) => (column.kind === 'time' ? id : [])));
  // What somebody has said of a column holds also where its cells tell nothing.
  const texts = new Set(columns.flatMap(({ id, column }) => (column.isStored && column.kind === 'text' ? id : [])));
  for (const { id, field } of table.inputs) {
    const path = readColumn(table, id, field, scope);
    if (path !== undefined && dates.has(id)) fact.at(path).isDate();
    if (path !== undefined && times.has(id)) fact.at(path).isTime();
    if (path !== undefined && texts.has(id)) fact.at(path).is('string');
  }
  for (const { id, path, collect } of table.outputs) {
    if (path === '') continue;
    const target = row.at(path.split('.'));
    for (const source of cellsOf(table, id)) {
      const tree = treeOf(source, 'standard');
      if (tree === undefined) continue;
      addUses(tree, scope);
      addResult(tree, collect ? target.items() : target);
    }
  }
}

/** Gives the path of the field that its cells test. */
function readColumn(table: Table, id: string, field: string, scope: Scope): Scope['field'] {
  const tree = field === '' ? undefined : treeOf(field, 'standard');
  if (tree !== undefined) addUses(tree, scope);
  const tested = { ...scope, field: tree && pathOf(tree, scope) };
  for (const source of cellsOf(table, id)) {
    const cell = treeOf(source, field === '' ? 'standard' : 'unary');
    if (cell !== undefined) addUses(cell, tested, 'boolean');
  }
  return tested.field;
}

/** Of what another decision reads, the caller gives what no earlier node has written. */
export function readDecision(run: SubSchemas, { input, fact }: Surroundings, own: Shape): void {
  const scope = scopeOf(input, fact);
  const wanted = new Shape().addSchema(run.input);
  for (const name of wanted.names()) {
    const path = scope.pathOf(name);
    if (path !== undefined) fact.at(path).merge(wanted.property(name));
  }
  own.addSchema(run.output);
}

/** The different cells of a column: a table repeats itself. `n/a` says that there is nothing, and divides no two fields. */
const cellsOf = ({ rules }: Table, id: string): Set<string> =>
  new Set(rules.flatMap((rule) => (rule.get(id) ?? '') || []).filter((cell) => !isNothing(cell.trim())));

const isNothing = (cell: string): boolean => maybeEverything(cell) && !/^[\p{L}_]+$/u.test(cell);
