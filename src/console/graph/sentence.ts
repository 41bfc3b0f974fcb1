import { conditionsOf, nearestInWords, plain } from '../../../workers/models/narrate/conditions.js';
import { whatWasMissing } from '../../../workers/models/narrate/missing.js';
import type { Model, ModelNode, NodeTrace, Trace } from '../api/types.js';
import { isObject, membersOf, rowsOf, someOf, textOf, valueAt, type Fields } from './fields.js';
import { fieldWords } from './fieldWords.js';
import { chosenStatements, matchedRows } from './way.js';

/** How a node came to what it gave, in words. */
export interface Sentence {
  readonly nodeId: string;
  /** Before the node's name, and after it. */
  readonly before: string;
  readonly name: string;
  readonly after: string;
  readonly isWarning: boolean;
  /** The one row that matched. */
  readonly row?: number;
  /** The run ended here. */
  readonly isFailure?: true;
}

/** A table that collects may match thousands. */
const mostRows = 8;
/** A longer expression is looked up where it stands. */
const longestSource = 80;

/** How a run came to its result: what its tables and switches chose, in their order. */
export function sentencesOf({ nodes }: Model, trace: Trace): readonly Sentence[] {
  const { warnings, ...steps } = trace;
  return Object.values(steps)
    .sort((one, other) => one.order - other.order)
    .flatMap((nodeTrace) => {
      const node = nodes.find(({ id }) => id === nodeTrace.id);
      return node === undefined ? [] : sentenceOf(node, nodeTrace);
    })
    .concat(warningsIn(warnings));
}

/** Of a document of DMN: why something was null, which stands beside the steps of its trace. */
const warningsIn = (warnings: unknown): readonly Sentence[] =>
  rowsOf({ warnings }, 'warnings').map((warning) => ({
    nodeId: textOf(warning['nodeId']),
    before: 'in',
    name: textOf(warning['node']),
    after: `something is null: ${textOf(warning['message'])}`,
    isWarning: true,
  }));

function sentenceOf(node: ModelNode, nodeTrace: NodeTrace): readonly Sentence[] {
  const { id: nodeId, name, type } = node;
  const content = membersOf(node.content);
  if (nodeTrace.error !== undefined) {
    const { error, input } = nodeTrace;
    const after = `failed${placeOf(error.field, content)}: ${error.message}${whatWasMissing(error, input, content)}`;
    return [{ nodeId, before: '', name, after, isWarning: true, isFailure: true }];
  }
  if (type === 'switchNode') {
    const chosen = chosenStatements(nodeTrace);
    const ways = rowsOf(content, 'statements').filter((statement) => chosen.has(textOf(statement['id'])));
    const after =
      ways.length === 0
        ? 'chose no way'
        : `chose ${ways.map((way) => textOf(way['condition']) || 'otherwise').join(', ')}`;
    return [{ nodeId, before: '', name, after, isWarning: ways.length === 0 }];
  }
  if (type === 'expressionNode') return wordsOfNothing(node, nodeTrace);
  if (type === 'decisionNode') return insideOf(node, nodeTrace.traceData);
  if (type !== 'decisionTableNode') return [];
  const rows = [...matchedRows(nodeTrace)];
  const passed = passedOver(nodeTrace, { nodeId, before: 'in', name });
  if (rows.length === 0)
    return [
      ...passed,
      { nodeId, before: 'no row of', name, after: `matched${nearestInWords(nodeTrace.nearest)}`, isWarning: true },
    ];
  const before = `${rowsText(rows)} of`;
  const [row] = rows;
  if (row === undefined || rows.length > 1)
    return [...passed, { nodeId, before, name, after: 'matched', isWarning: false }];
  const cells = conditionsOf(content, row);
  return [
    ...passed,
    { nodeId, before, name, after: `matched${cells === '' ? '' : `: ${cells}`}`, isWarning: false, row },
  ];
}

/** Rows that only their results kept from being chosen: a later one answered in their place, or none. */
const passedOver = (
  { passedOver: rows = [] }: NodeTrace,
  place: Pick<Sentence, 'nodeId' | 'before' | 'name'>,
): readonly Sentence[] =>
  rows.map(({ index, message }) => ({
    ...place,
    after: `row ${index + 1} would match, but ${message}`,
    isWarning: true,
  }));

/** Where in a node it failed, with the expression, which says what was missing. */
function placeOf(field: string | undefined, content: Fields): string {
  if (field === undefined) return '';
  const [, row] = /^content\.expressions\[(\d+)\]/.exec(field) ?? [];
  const source = row === undefined ? '' : textOf(rowsOf(content, 'expressions')[Number(row)]?.['value']);
  return ` in ${fieldWords(field, content)}${source === '' || source.length > longestSource ? '' : ` (${source})`}`;
}

/** A table of a decision that a node runs, and what came of it each time. */
interface Asked {
  readonly table: string;
  readonly rows: Set<number>;
  readonly data: unknown;
  readonly nearest: NodeTrace['nearest'];
}

/** What tables of a decision that a node runs did, however deep; the trace alone has them, with the cells that matched. */
function insideOf({ id: nodeId, name }: Pick<ModelNode, 'id' | 'name'>, traceData: unknown): readonly Sentence[] {
  // Run for each item of a list, it has a trace for each.
  const traces: readonly unknown[] = Array.isArray(traceData) ? traceData : [traceData];
  const found = new Map<string, Asked>();
  const passed: Sentence[] = [];
  const visit = (trace: unknown): void => {
    for (const step of Object.values(membersOf(trace)).filter(isStep).sort(inOrder)) {
      passed.push(...passedOver(step, { nodeId, before: `in ${step.name} of`, name }));
      if (step.unmatched === true || isTable(step.traceData)) {
        const known = found.get(step.id);
        const entry = known ?? { table: step.name, rows: new Set<number>(), data: step.traceData };
        // Of several items each has a row that is nearest: none of those is told.
        found.set(step.id, { ...entry, nearest: known === undefined ? step.nearest : undefined });
        for (const row of matchedRows(step)) entry.rows.add(row);
      } else for (const inner of Array.isArray(step.traceData) ? step.traceData : [step.traceData]) visit(inner);
    }
  };
  for (const trace of traces) visit(trace);
  const told = [...found.values()].slice(0, mostRows).map(({ table, rows, data, nearest }) => {
    const none = `matched${nearestInWords(nearest)}`;
    if (rows.size === 0) return { nodeId, before: `no row of ${table} in`, name, after: none, isWarning: true };
    const before = `${rowsText([...rows])} of ${table} in`;
    const cells = rows.size === 1 ? cellsIn(data) : '';
    return { nodeId, before, name, after: `matched${cells === '' ? '' : `: ${cells}`}`, isWarning: false };
  });
  return [...passed.slice(0, mostRows), ...told];
}

const inOrder = (one: NodeTrace, other: NodeTrace): number => one.order - other.order;

const isStep = (value: unknown): value is NodeTrace => isObject(value) && 'order' in value && 'traceData' in value;

/** A row that matched, a list of those, or what a table of DMN has. */
const isTable = (data: unknown): boolean =>
  Array.isArray(data)
    ? data.some(isTable)
    : isObject(data) && ('hitPolicy' in data || (typeof data['index'] === 'number' && isObject(data['rule'])));

/** The cells of a row as a trace has them, each by its field and the id of its column. */
const cellsIn = (data: unknown): string =>
  Object.entries(membersOf(membersOf(Array.isArray(data) ? data[0] : data)['rule']))
    .filter(([field, cell]) => field.endsWith(']') && cell !== '')
    .map(([, cell]) => plain(textOf(cell)))
    .join(', ');

/**
 * Expressions that are one word which was not given, so that they gave null: who forgets the quotes of a text finds it here. Before
 * a run only tests tell such a word from a field of the request that is only passed on.
 */
function wordsOfNothing(
  { id: nodeId, name, content }: ModelNode,
  { input, output, truncated }: NodeTrace,
): readonly Sentence[] {
  const { executionMode, inputField } = membersOf(content);
  if (!isObject(input) || truncated === true || executionMode === 'loop' || textOf(inputField) !== '') return [];
  const rows = rowsOf(content, 'expressions').map((row) => ({
    key: textOf(row['key']),
    word: textOf(row['value']).trim(),
  }));
  const made = new Set(rows.map(({ key }) => key.split('.')[0]));
  return rows.flatMap(({ key, word }) => {
    const isMissing = oneWord.test(word) && !Object.hasOwn(input, word) && !made.has(word);
    const isDivided = division.test(word) && valueAt(output, key.split('.')) === null;
    if (key === '' || (!isMissing && !isDivided)) return [];
    const why = isMissing
      ? `no ${word} was given. A text is written ${JSON.stringify(word)}`
      : `${word} divides by 0. A value for that is written (${word}) ?? 0`;
    return [{ ...{ nodeId, before: 'in', name, isWarning: true }, after: `${key} is null: ${why}` }];
  });
}

/** What is null only where its divisor is 0: anything else that cannot be computed is an error. */
const division = /^[^?:"'`]+[/%][^?:"'`]+$/;

const oneWord = /^(?!(?:true|false|null)$)[\p{L}_][\p{L}\p{N}_]*$/u;

const rowsText = (rows: readonly number[]): string =>
  `row${rows.length === 1 ? '' : 's'} ${someOf(
    rows.map((row) => row + 1),
    mostRows,
  )}`;
