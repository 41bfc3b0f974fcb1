import { hintOf, zenText } from '../../cells/index.js';
import { isRecord } from '../../json/index.js';
import { tableIn } from '../nodes/table.js';
import { walk, type Node } from '../zen/ast.js';
import { treeOf } from '../zen/usage.js';
import { tableColumns } from './cellFaults.js';
import { locationOf, type Model, type ModelNode } from './model.js';
import type { Report } from './reader.js';
import { parsedSchema } from './schemas.js';

// Warnings of comparisons of a number with a text, which ZEN takes for two different things in silence: `score == "500"`.

type Kind = 'number' | 'text';
/** By paths such as `customer.score`; null of those that are one thing here and another there. */
type Kinds = ReadonlyMap<string, Kind | null>;

/**
 * Warns where the request's schema, or the columns of tables, say that a field is something else than what it is compared with.
 * @param told pointers of what was told already
 */
export function checkKinds({ nodes }: Model, told: ReadonlySet<string>, report: Report, isLate: () => boolean): void {
  let known: Kinds | undefined;
  const kindOf = (path: string): Kind | null => (known ??= kindsIn(nodes)).get(path) ?? null;
  for (const node of nodes) {
    if (isPart(node)) continue;
    const { pointer: nodePointer = '', ...location } = locationOf(node);
    const found = new Map<string, ReturnType<typeof faultOf>>();
    for (const { source, kind, field, label, pointer: within } of node.parsed.expressions()) {
      const pointer = nodePointer + within;
      // Few expressions compare with a literal, and a table has many cells.
      if (kind === 'unary' || !/[=!]=|\bin\b/.test(source) || told.has(pointer)) continue;
      if (isLate()) return;
      if (!found.has(source)) found.set(source, faultOf(source, kindOf));
      const fault = found.get(source);
      if (fault !== undefined)
        report({ code: 'type_error', severity: 'warning', ...fault, ...location, field, label, pointer, source });
    }
  }
}

/** What a part of the data has, or each item of a list, has names of its own. */
const isPart = ({ content }: ModelNode): boolean =>
  content['executionMode'] === 'loop' || (typeof content['inputField'] === 'string' && content['inputField'] !== '');

function kindsIn(nodes: readonly ModelNode[]): Kinds {
  const kinds = new Map<string, Kind | null>();
  const add = (path: string, kind: Kind): void => {
    kinds.set(path, (kinds.get(path) ?? kind) === kind ? kind : null);
  };
  for (const node of nodes) {
    const { type, content, parsed } = node;
    if (parsed.role === 'input') addSchema(content['schema'], '', add);
    if (type !== 'decisionTableNode' || isPart(node)) continue;
    const columns = new Map(tableColumns(node).map(({ id, column }) => [id, column.kind]));
    for (const { id, field } of tableIn(content).inputs) {
      const kind = columns.get(id);
      if (kind === 'number' || kind === 'text' || kind === 'list') add(field, kind === 'number' ? kind : 'text');
    }
  }
  // What a node writes may be something else than what the request has under that name.
  const written = new Set(nodes.flatMap(({ type, content }) => writtenBy(type, content)));
  for (const path of kinds.keys()) if (written.has(firstName(path))) kinds.set(path, null);
  return kinds;
}

const firstName = (path: string): string => path.split('.', 1)[0] ?? '';

/** The first names of what an expression node or a table writes. */
function writtenBy(type: string, content: ModelNode['content']): readonly string[] {
  const lists =
    type === 'expressionNode' ? ['expressions', 'key'] : type === 'decisionTableNode' ? ['outputs', 'field'] : [];
  const [list = '', member = ''] = lists;
  const items = Array.isArray(content[list]) ? (content[list] as unknown[]) : [];
  const paths = [content['outputPath'], ...items.map((item) => (isRecord(item) ? item[member] : undefined))];
  return paths.flatMap((path) => (typeof path === 'string' && path.trim() !== '' ? [firstName(path.trim())] : []));
}

const schemaKinds: ReadonlyMap<unknown, Kind> = new Map([
  ['number', 'number'],
  ['integer', 'number'],
  ['string', 'text'],
]);

function addSchema(schema: unknown, path: string, add: (path: string, kind: Kind) => void): void {
  const read = parsedSchema(schema);
  if (!isRecord(read)) return;
  const kind = schemaKinds.get(read['type']);
  if (kind !== undefined && path !== '') add(path, kind);
  if (!isRecord(read['properties'])) return;
  for (const [name, within] of Object.entries(read['properties']))
    addSchema(within, path === '' ? name : `${path}.${name}`, add);
}

/** A literal that is no value of the field beside it, and what stands in its place. */
interface Edit {
  readonly path: string;
  readonly span: readonly [start: number, end: number];
  readonly text: string;
}

const number = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;

function faultOf(source: string, kindOf: (path: string) => Kind | null) {
  const tree = treeOf(source, 'standard');
  if (tree === undefined) return undefined;
  const edits: Edit[] = [];
  const compare = (field: Node, value: Node): void => {
    const path = pathOf(field);
    if (path === undefined || value.kind !== 'literal' || value.value === null || typeof value.value === 'boolean')
      return;
    const { span, value: literal } = value;
    const kind = kindOf(path);
    if (typeof literal !== 'string') {
      if (kind === 'text') edits.push({ path, span, text: zenText(source.slice(...span)) });
    } else if (kind === 'number' && number.test(literal)) edits.push({ path, span, text: literal });
  };
  // A name that is given within the expression is no field.
  const giving: Node[] = [];
  walk(tree, (node) => {
    if (node.kind === 'assignments' || node.kind === 'closure') giving.push(node);
    if (node.kind !== 'binary') return;
    const { operator, left, right } = node;
    if (operator === '==' || operator === '!=') {
      compare(left, right);
      compare(right, left);
    }
    if ((operator === 'in' || operator === 'not in') && right.kind === 'array')
      for (const item of right.items) compare(left, item);
  });
  const [first] = edits;
  if (first === undefined || giving.length > 0) return undefined;
  const repair = edits
    .sort((one, other) => other.span[0] - one.span[0])
    .reduce((text, { span: [start, end], text: own }) => text.slice(0, start) + own + text.slice(end), source);
  const { path, span, text } = first;
  const isNumber = number.test(text);
  const [is, other] = isNumber ? ['a number', 'a text'] : ['a text', 'a number'];
  const message = `\`${path}\` is ${is}, and ${source.slice(...span)} is ${other}: they are never the same.`;
  return { message, hint: hintOf('comparison', [repair], source), repair };
}

/** `customer.score`; undefined of anything else than a path of names. */
function pathOf(node: Node): string | undefined {
  if (node.kind === 'group') return pathOf(node.inner);
  if (node.kind === 'identifier') return /^[$#]/.test(node.name) ? undefined : node.name;
  if (node.kind !== 'member' || node.property.kind !== 'literal') return undefined;
  const before = pathOf(node.object);
  return before === undefined || typeof node.property.value !== 'string'
    ? undefined
    : `${before}.${node.property.value}`;
}
