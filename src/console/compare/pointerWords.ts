import type { Model, ModelNode } from '../api/types.js';
import { isObject, membersOf, rowsOf, stepsOf, textOf, wordsIn } from '../graph/fields.js';

/** Names of parts of a model, where taking their letters apart does not give words that people use. */
const known: ReadonlyMap<string, string> = new Map(
  Object.entries({
    content: '',
    rules: 'rows',
    inputs: 'input columns',
    outputs: 'output columns',
    passThrough: 'passes its input on',
    inputField: 'reads from',
    outputPath: 'writes to',
    executionMode: 'once or for each item',
    key: 'name',
    _whole: 'whole numbers only',
    _kind: 'kind',
    _values: 'choices',
  }),
);

/** What the items of a list are called, and how a person knows one. */
type Item = readonly [noun: string, nameOf: (item: Readonly<Record<string, unknown>>) => string];
const items: ReadonlyMap<string, Item> = new Map(
  Object.entries<Item>({
    expressions: ['expression', ({ key }) => textOf(key)],
    statements: ['condition', () => ''],
    inputs: ['input column', ({ name, field }) => textOf(name) || textOf(field)],
    outputs: ['output column', ({ name, field }) => textOf(name) || textOf(field)],
    rules: ['row', () => ''],
    tests: ['test', ({ name }) => textOf(name)],
  }),
);

/**
 * A pointer into a node or a model, in words: `/content/expressions/0/value` → `expression “rate”: value`.
 * @param pointer a JSON Pointer, or names with dots between them (`content.rules`)
 */
export function pointerWords(holder: unknown, pointer: string): string {
  const steps = pointer.startsWith('/') ? stepsOf(pointer) : pointer.split('.');
  const words: string[] = [];
  let at: unknown = holder;
  for (let index = 0; index < steps.length; index++) {
    const step = steps[index] ?? '';
    const inner: unknown = isObject(at) ? at[step] : undefined;
    const number = Number(steps[index + 1]);
    const item = items.get(step);
    if (item !== undefined && Number.isInteger(number) && steps[index + 1] !== '') {
      words.push(itemWords(item, inner, number));
      at = Array.isArray(inner) ? (inner as readonly unknown[])[number] : undefined;
      index++;
      continue;
    }
    words.push(known.get(step) ?? wordsIn(step));
    at = inner;
  }
  return words.filter((word) => word !== '').join(': ') || 'all of it';
}

function itemWords([noun, nameOf]: Item, list: unknown, index: number): string {
  const item: unknown = Array.isArray(list) ? (list as readonly unknown[])[index] : undefined;
  const name = isObject(item) ? nameOf(item) : '';
  return name === '' ? `${noun} ${index + 1}` : `${noun} “${name}”`;
}

/** What a column of a table is called, by its id. */
export function columnNameOf(nodes: readonly (ModelNode | undefined)[], id: string): string {
  for (const node of nodes) {
    const content = membersOf(node?.content);
    const column = [...rowsOf(content, 'inputs'), ...rowsOf(content, 'outputs')].find((each) => each['id'] === id);
    if (column !== undefined) return textOf(column['name']) || textOf(column['field']) || id;
  }
  // As the grid calls it.
  return id === '_description' ? 'Note' : id;
}

export const nodeOf = ({ nodes }: Pick<Model, 'nodes'>, id: string | null): ModelNode | undefined =>
  nodes.find((node) => node.id === id);
