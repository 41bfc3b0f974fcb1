import { recordsIn } from '../json/index.js';
import { parseModel, type Content, type ModelNode } from '../engine/jdm/model.js';
import { planOf } from '../engine/jdm/plan.js';
import { inOrder } from '../engine/jdm/schemas.js';
import type { Table } from '../engine/nodes/table/content.js';
import type { Deadline } from './deadline.js';
import { findingsOf, type Given, type TableFindings } from './findings.js';
import { kept, knownOf } from './knownOfExpression.js';
import {
  absent,
  anything,
  either,
  KnownObject,
  mostFields,
  anyValue,
  type Known,
  type KnownField,
  type KnownTest,
} from './knownValues.js';
import { areApart, fieldPath, pathName } from './paths.js';
import { conditionPredicates } from './predicate.js';
import { typedFields, wholeFields } from './schemaTypes.js';
import type { Wholeness } from './tableBoxes.js';
import { tablesOf, type TableNode } from './tableNodes.js';

/** A table, and what boxes say of it where its inputs come from. */
export interface ExaminedTable {
  readonly node: TableNode;
  readonly found: TableFindings;
}

/** What is known of a model without a run of it. */
interface Examined {
  readonly tables: readonly ExaminedTable[];
  /** Statements that are never chosen: `statementKey`. */
  readonly closed: ReadonlySet<string>;
}

export const statementKey = (nodeId: string, statement: string): string => JSON.stringify([nodeId, statement]);

interface Visited {
  readonly node: ModelNode;
  readonly table: Table | undefined;
  readonly found: TableFindings | undefined;
}

/**
 * Goes through a model from its request to its end, and takes along what is known of fields: constants that tables and
 * expressions write, conditions of switches. What it cannot follow may be anything.
 */
export function examineGraph(document: unknown, until: Deadline): Examined {
  const model = parseModel(document);
  const tables = new Map(tablesOf(document).map((node) => [node.index, node]));
  const found = new Map<number, TableFindings>();
  const closed = new Set<string>();
  /** What goes along each edge; null where nothing ever does. */
  const along = new Map<number, KnownObject | null>();
  const plan = planOf(model);
  for (const at of inOrder(plan)) {
    const node = model.nodes[at];
    if (node === undefined) continue;
    // What comes too late is not followed.
    const input = until.isOver() ? anyValue : inputOf(plan.incoming[at] ?? [], along);
    const { content } = node;
    const table = tables.get(node.index)?.table;
    if (table !== undefined)
      found.set(node.index, tableFindings(table, input === null ? null : givenTo(content, input), until));
    const isSwitch = node.type === 'switchNode';
    const branches = isSwitch ? branchesOf(content, input, until) : new Map<string, KnownObject | null>();
    for (const [statement, branch] of branches) if (branch === null) closed.add(statementKey(node.id, statement));
    const output = input === null ? null : outputOf({ node, table, found: found.get(node.index) }, input);
    for (const edge of plan.outgoing[at] ?? [])
      along.set(edge, isSwitch ? (branches.get(plan.handle[edge] ?? '') ?? null) : output);
  }
  return {
    tables: [...tables.values()].map((node) => ({
      node,
      found: found.get(node.index) ?? findingsOf(node.table, until),
    })),
    closed,
  };
}

/** Of a table that no run comes to, no row is reached. */
function tableFindings(table: Table, given: Given | null, until: Deadline): TableFindings {
  if (given !== null) return findingsOf(table, until, given);
  const found = findingsOf(table, until);
  return { ...found, regions: table.rules.map(() => null), unreachable: new Set(table.rules.keys()) };
}

/** Null for a node that no run comes to. */
function inputOf(edges: readonly number[], along: ReadonlyMap<number, KnownObject | null>): KnownObject | null {
  if (edges.length === 0) return new KnownObject([], true, true, true);
  return edges
    .map((edge) => along.get(edge) ?? null)
    .reduce((all, parent) => (all === null || parent === null ? (all ?? parent) : all.merged(parent)));
}

const textOf = (text: unknown): string => (typeof text === 'string' ? text.trim() : '');

/** What is known of the fields that a table reads. */
export function givenTo(content: Content, input = new KnownObject()): Given {
  const whole = wholeFields(content['inputs']);
  const wholeness = (path: readonly string[]): Wholeness => (whole.has(pathName(path)) ? 'expected' : 'unknown');
  const { isRequest } = input;
  if (content['executionMode'] === 'loop') return { at: () => anything, isObject: false, isRequest, wholeness };
  const inputField = textOf(content['inputField']);
  if (inputField === '') return { at: (path) => input.at(path), isObject: input.isObject, isRequest, wholeness };
  const prefix = fieldPath(inputField);
  const at = (path: readonly string[]): Known => (prefix === undefined ? anything : input.at([...prefix, ...path]));
  return { at, isObject: false, isRequest, wholeness };
}

function outputOf(visited: Visited, input: KnownObject): KnownObject {
  const {
    node: { type, content },
  } = visited;
  if (type === 'inputNode') return input.with(typedFields(content['schema']), true);
  if (['outputNode', 'switchNode'].includes(type)) return input;
  const { executionMode } = content;
  const outputPath = textOf(content['outputPath']);
  const passThrough = content['passThrough'] === true;
  const prefix = outputPath === '' ? [] : outputPath.split('.');
  const isPlain = executionMode !== 'loop' && textOf(content['inputField']) === '';
  const fields = isPlain ? fieldsWritten(visited, { input, prefix, passThrough }) : undefined;
  if (fields !== undefined) return passThrough ? input.with(fields) : new KnownObject(fields, false);
  const isBelow = passThrough && prefix.length > 0 && ['decisionTableNode', 'expressionNode'].includes(type);
  if (isBelow) return input.with([{ path: prefix, known: anything }]);
  return isPlain && type === 'expressionNode' ? new KnownObject() : anyValue;
}

interface Placing {
  readonly input: KnownObject;
  /** Where the output is put. */
  readonly prefix: readonly string[];
  readonly passThrough: boolean;
}

/** What a table or an expression node writes; undefined where it cannot be told. */
function fieldsWritten({ node: { type, content }, table, found }: Visited, placing: Placing): KnownField[] | undefined {
  const fields =
    table !== undefined && found !== undefined
      ? tableFields(table, found, placing)
      : type === 'expressionNode'
        ? expressionFields(content, placing)
        : undefined;
  if (fields === undefined || fields.length > mostFields) return undefined;
  return areApart(fields.map(({ path }) => path)) ? fields : undefined;
}

function expressionFields({ expressions }: Content, { input, prefix }: Placing): KnownField[] {
  return recordsIn(expressions).flatMap((entry): KnownField[] => {
    const key = textOf(entry['key']);
    const source = textOf(entry['value']);
    return key === '' || source === '' ? [] : [{ path: [...prefix, ...key.split('.')], known: knownOf(source, input) }];
  });
}

function tableFields(
  table: Table,
  found: TableFindings,
  { input, prefix, passThrough }: Placing,
): KnownField[] | undefined {
  if (table.collect) return undefined;
  const rows = table.rules.filter((_, index) => !found.unreachable.has(index));
  return table.outputs
    .filter(({ path }) => path !== '')
    .map(({ id, path: name, collect }) => {
      const path = [...prefix, ...name.split('.')];
      if (collect) return { path, known: anything };
      const before = kept(input, path, passThrough);
      // What no row writes is not there; an output that is put elsewhere is null then.
      const none = found.isTotal ? [] : [prefix.length > 0 ? absent : before];
      const cells = [...new Set(rows.map((rule) => rule.get(id) ?? ''))];
      const known = [...none, ...cells.map((cell) => (cell === '' ? before : knownOf(cell, input)))];
      return { path, known: known.reduce<Known>(either, { values: [], tests: [] }) };
    });
}

/** What goes on from each statement of a switch; null where it is never chosen. */
function branchesOf(content: Content, input: KnownObject | null, until: Deadline): Map<string, KnownObject | null> {
  const statements = recordsIn(content['statements']).map(({ id, condition }) => ({
    id: typeof id === 'string' ? id : '',
    condition: textOf(condition),
  }));
  if (input === null) return new Map(statements.map(({ id }) => [id, null]));
  const collect = content['hitPolicy'] === 'collect';
  const table: Table = {
    collect,
    inputs: [{ id: 'condition', name: '', field: '' }],
    outputs: [],
    rules: statements.map(({ condition }) => new Map([['condition', condition]])),
  };
  const { unreachable } = findingsOf(table, until, input);
  const branches = new Map<string, KnownObject | null>();
  const before: KnownTest[] = [];
  for (const [index, { id, condition }] of statements.entries()) {
    const predicates = condition === '' ? [] : conditionPredicates(condition);
    const holds = (predicates ?? []).map((predicate): KnownTest => ({ predicate, isTrue: true }));
    const branch = unreachable.has(index) ? null : input.where([...before, ...holds]);
    // Two statements of the same name open the same edges.
    const same = branches.get(id) ?? null;
    branches.set(id, same === null || branch === null ? (same ?? branch) : same.merged(branch));
    const [only] = predicates ?? [];
    if (!collect && predicates?.length === 1 && only !== undefined) before.push({ predicate: only, isTrue: false });
  }
  return branches;
}
