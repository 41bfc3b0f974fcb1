import type { Written } from '../nodes/nodeType.js';
import { namesIn, withPath, type Name } from '../zen/names.js';
import { nearest } from '../../nearest/index.js';
import { wordsIn } from '../zen/conditionFault.js';
import { treeOf } from '../zen/usage.js';
import { mayBeNoZen, namesNothing } from '../zen/cellFault.js';
import { checkCells, checkConditions, tableColumns, type TableColumn } from './cellFaults.js';
import { locationOf, type Model, type ModelNode } from './model.js';
import type { Plan } from './plan.js';
import { pathsOf } from './pathsOf.js';
import type { Report } from './reader.js';
import { inOrder, parsedSchema } from './schemas.js';
import { isRecord } from '../../json/index.js';

// Warnings of names that lead nowhere, which the reference engine reads as null in silence.

type Tables = ReadonlyMap<ModelNode, readonly TableColumn[]>;

/**
 * Warns where an expression names a field that no node before it writes and the request's schema does not have, and of
 * cells that are written otherwise than their columns have them. Gives the pointers of these cells.
 */
export function checkNames(model: Model, plan: Plan, report: Report, isLate: () => boolean): ReadonlySet<string> {
  const told = new Set<string>();
  const outputs: (Fields | null)[] = model.nodes.map(() => null);
  /** Of each node the last one up to it that keeps what came in to itself. */
  const keepers: (ModelNode | undefined)[] = [];
  let everywhere: Fields | undefined;
  // Few models have a cell for which it has to be known.
  const tables = new Map(model.nodes.map((node) => [node, tableColumns(node)]));
  const named = (): Fields => (everywhere ??= namesOf(model, tables));
  for (const index of inOrder(plan)) {
    const node = model.nodes[index];
    if (node === undefined || isLate()) continue;
    const { content } = node;
    const before = index === plan.entry ? fieldsOfSchema(content['schema']) : merged(plan, index, outputs);
    outputs[index] = outputOf(node, before);
    const keeper = (plan.incoming[index] ?? []).map((edge) => keepers[plan.source[edge] ?? -1]).find(Boolean);
    keepers[index] = node.parsed.role === 'step' && content['passThrough'] !== true ? node : keeper;
    // What a part of the data has, or each item of a list, is not followed.
    const isPart = content['executionMode'] === 'loop' || isFilled(content['inputField']);
    const known = before === null || isPart ? null : before;
    const knows = (name: string): boolean => (known ?? named()).has(name);
    const columns = tables.get(node) ?? [];
    const hasConditions = node.parsed.statements !== undefined || columns.some(({ isCondition }) => isCondition);
    const cells = new Set([
      ...checkCells(node, columns, knows, report),
      ...(hasConditions ? checkConditions(node, knows, { report, isLate }) : []),
    ]);
    for (const pointer of cells) told.add(pointer);
    if (known !== null) {
      const missing = keeper === undefined ? givenByNobody : keptBy(keeper);
      checkNode(node.parsed.expressions(), locationOf(node), { told: cells, known, missing }, report);
    } else if (hasUnknown(columns, named))
      checkNode(cellsIn(node), locationOf(node), { told: cells, known: named(), missing: namesNothing }, report);
  }
  return told;
}

/** Whether a cell names what is not among them: tables have many cells, and few of them a name. */
const hasUnknown = (columns: readonly TableColumn[], named: () => Fields): boolean =>
  columns.some(
    ({ column, isCondition, sources }) =>
      !isCondition &&
      Array.from(new Set(sources)).some((source) => namesOfCell(source, column).some((name) => !named().has(name))),
  );

/** The names that a cell's paths begin with. */
const namesOfCell = (source: string, { isTest }: TableColumn['column']): string[] =>
  namesIn(source, isTest ? 'unary' : 'standard').map(({ path: [name = ''] }) => name);

/** What the cells of a table say. */
const cellsIn = (node: ModelNode): readonly Written[] =>
  [...node.parsed.expressions()].filter(({ pointer }) => pointer.startsWith('/content/rules/'));

interface Known {
  /** Pointers of what was told already. */
  readonly told: ReadonlySet<string>;
  readonly known: Fields;
  /** What is said of a name that is not among them. */
  readonly missing: (name: string) => string;
}

function checkNode(
  expressions: Iterable<Written>,
  location: ReturnType<typeof locationOf>,
  { told, known, missing }: Known,
  report: Report,
): void {
  const judged = new Map<string, ReturnType<typeof judgement>>();
  for (const written of expressions) {
    const { source, kind, field, label, pointer: within } = written;
    const pointer = (location.pointer ?? '') + within;
    if (told.has(pointer)) continue;
    const key = `${kind}:${source}`;
    if (!judged.has(key)) judged.set(key, judgement(written, known, missing));
    const found = judged.get(key);
    if (found === undefined) continue;
    const where = { ...location, field, label, pointer, source, span: found.span };
    report({ code: 'type_error', severity: 'warning', ...found.wrong, ...where });
  }
}

/** The first name of a source that leads nowhere. */
function judgement({ source, kind }: Written, known: Fields, missing: (name: string) => string) {
  const names = namesIn(source, kind === 'unary' ? 'unary' : 'standard');
  for (const name of names) {
    const { message, near } = wrongWith(name, known, missing) ?? {};
    if (message === undefined) continue;
    if (near === undefined) return { span: name.span, wrong: { message } };
    // What its author means is only near: it may be right, and what gives it is yet to come.
    const readings = [withPath(source, names, { from: name.path.slice(0, near.length), to: near }), source];
    return { span: name.span, wrong: { message, hint: `Did you mean \`${near.join('.')}\`?`, readings } };
  }
  return undefined;
}

const givenByNobody = (name: string): string =>
  `Neither the request nor a node before this one has a field \`${name}\`: it is null.`;

/** The request may have it: what would mend it then is said. */
const keptBy =
  ({ name, id }: ModelNode) =>
  (field: string): string =>
    `No node before this one gives a field \`${field}\`, and \`${name || id}\` does not pass on what the request has (“Pass on what comes in”, in its settings): it is null.`;

/** What is wrong with a name; undefined where nothing is. */
function wrongWith(
  { path }: Name,
  known: Fields,
  missing: (name: string) => string,
): { readonly message: string; readonly near?: readonly string[] } | undefined {
  let fields: Fields | null = known;
  for (const [depth, part] of path.entries()) {
    if (fields === null) return undefined;
    if (fields.has(part)) {
      fields = fields.get(part) ?? null;
      continue;
    }
    const before = path.slice(0, depth);
    const message = depth === 0 ? missing(part) : `\`${before.join('.')}\` has no field \`${part}\`: it is null.`;
    const near = nearest(part, [...fields.keys()]);
    return near === undefined ? { message } : { message, near: [...before, near] };
  }
  return undefined;
}

/** All that a model writes and reads, and what its cells alone read and nobody writes by mistake. */
function namesOf(model: Model, tables: Tables): Fields {
  const names = new Map<string, null>();
  const addAll = (source: string, kind: 'standard' | 'unary'): void => {
    for (const { path } of namesIn(source, kind)) names.set(path[0] ?? '', null);
  };
  const addCondition = (source: string): void => {
    // `Private` of `segment == Private` is hardly a field where nothing else reads it.
    const tree = treeOf(source, 'standard');
    const words = new Set(tree && wordsIn(tree).map(({ span: [start] }) => start));
    for (const { path, span } of namesIn(source, 'standard')) if (!words.has(span[0])) names.set(path[0] ?? '', null);
  };
  for (const node of model.nodes) {
    for (const name of fieldsOfSchema(node.content['schema'])?.keys() ?? []) names.set(name, null);
    for (const path of pathsOf(node.type, node.content)) names.set(path[0] ?? '', null);
    for (const { source, kind, pointer, statement } of node.parsed.expressions())
      if (statement !== undefined) addCondition(source);
      else if (!pointer.startsWith('/content/rules/')) addAll(source, kind === 'unary' ? kind : 'standard');
    for (const { isCondition, sources } of tables.get(node) ?? [])
      if (isCondition) for (const source of new Set(sources)) addCondition(source);
  }
  for (const name of namesOfCells([...tables.values()].flat(), names)) names.set(name, null);
  return names;
}

/**
 * Names that only cells read, and that are fields for certain: they are written as paths, or in several expressions. A word
 * that differs from a known name in its capitals alone is that one, mistyped.
 */
function namesOfCells(columns: readonly TableColumn[], known: Fields): readonly string[] {
  const mistyped = new Set(Array.from(known.keys(), (name) => name.toLowerCase()));
  const counts = new Map<string, number>();
  for (const { column, isCondition, sources } of columns) {
    if (isCondition) continue;
    for (const source of new Set(sources)) {
      const found = namesIn(source, column.isTest ? 'unary' : 'standard');
      // Nearly all cells are literals; only of the others it is asked what people mean by them.
      if (found.length === 0 || mayBeNoZen(source, column)) continue;
      for (const [name, isPath] of new Map(found.map(({ path }) => [path[0] ?? '', path.length > 1])))
        counts.set(name, (counts.get(name) ?? 0) + (isPath ? 2 : 1));
    }
  }
  return [...counts].flatMap(([name, count]) => (count > 1 && !mistyped.has(name.toLowerCase()) ? name : []));
}

/** The fields that a node gives to those after it; null where anything may be among them. */
function outputOf({ type, parsed, content }: ModelNode, before: Fields | null): Fields | null {
  if (parsed.role !== 'step') return before;
  const isList = content['executionMode'] === 'loop' || content['hitPolicy'] === 'collect';
  const isKnown = type === 'expressionNode' || type === 'decisionTableNode';
  const { outputPath } = content;
  const own = new Map<string, Fields | null>();
  if (isFilled(outputPath)) addFields(own, outputPath.trim().split('.'));
  else if (isList || !isKnown) return null;
  else for (const path of pathsOf(type, content)) addFields(own, path);
  if (content['passThrough'] !== true) return own;
  return before === null ? null : new Map([...before, ...own]);
}

function merged(plan: Plan, index: number, outputs: readonly (Fields | null)[]): Fields | null {
  const fields = new Map<string, Fields | null>();
  for (const edge of plan.incoming[index] ?? []) {
    const output = outputs[plan.source[edge] ?? -1];
    if (!output) return null;
    for (const [name, within] of output) fields.set(name, fields.has(name) ? null : within);
  }
  return fields;
}

const isFilled = (text: unknown): text is string => typeof text === 'string' && text.trim() !== '';

/** The fields that an object has at most, each with those within it; null where nobody knows them. */
type Fields = ReadonlyMap<string, Fields | null>;

/** Parts of a schema that can name fields beside its properties. */
const open = ['$ref', 'allOf', 'anyOf', 'oneOf', 'if', 'patternProperties', 'dependentSchemas'];
/** Deeper schemas are not followed. */
const maxDepth = 8;

/** The fields that a declared JSON Schema (text or object) names. */
function fieldsOfSchema(schema: unknown, depth = 0): Fields | null {
  const read = parsedSchema(schema);
  if (!isRecord(read) || depth > maxDepth || open.some((key) => key in read)) return null;
  const { properties, additionalProperties } = read;
  if (!isRecord(properties) || additionalProperties === true || isRecord(additionalProperties)) return null;
  return new Map(Object.entries(properties).map(([name, within]) => [name, fieldsOfSchema(within, depth + 1)]));
}

/** Adds a path. What its last step holds nobody knows. */
function addFields(fields: Map<string, Fields | null>, [first = '', ...rest]: readonly string[]): void {
  const known = fields.get(first);
  if (rest.length === 0 || known === null) {
    fields.set(first, null);
    return;
  }
  const within = new Map(known);
  addFields(within, rest);
  fields.set(first, within);
}
