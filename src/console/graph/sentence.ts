import type { Model, ModelNode, NodeTrace, Trace } from '../api/types.js';
import { isObject, membersOf, rowsOf, textOf } from './fields.js';
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
  if (nodeTrace.error !== undefined)
    return [
      { nodeId, before: '', name, after: `failed: ${nodeTrace.error.message}`, isWarning: true, isFailure: true },
    ];
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
  if (type !== 'decisionTableNode') return [];
  const rows = [...matchedRows(nodeTrace)];
  if (rows.length === 0) return [{ nodeId, before: 'no row of', name, after: 'matched', isWarning: true }];
  const before = `row${rows.length === 1 ? '' : 's'} ${listed(rows)} of`;
  const [row] = rows;
  if (row === undefined || rows.length > 1) return [{ nodeId, before, name, after: 'matched', isWarning: false }];
  const cells = conditionsOf(content, row);
  return [{ nodeId, before, name, after: `matched${cells === '' ? '' : `: ${cells}`}`, isWarning: false, row }];
}

/**
 * Expressions that are one word which was not given, so that they gave null: who forgets the quotes of a text finds it here. Before
 * a run nobody can tell such a word from a field of the request that is only passed on.
 */
function wordsOfNothing(
  { id: nodeId, name, content }: ModelNode,
  { input, truncated }: NodeTrace,
): readonly Sentence[] {
  const { executionMode, inputField } = membersOf(content);
  if (!isObject(input) || truncated === true || executionMode === 'loop' || textOf(inputField) !== '') return [];
  const rows = rowsOf(content, 'expressions').map((row) => ({
    key: textOf(row['key']),
    word: textOf(row['value']).trim(),
  }));
  const made = new Set(rows.map(({ key }) => key.split('.')[0]));
  return rows
    .filter(({ key, word }) => key !== '' && oneWord.test(word) && !Object.hasOwn(input, word) && !made.has(word))
    .map(({ key, word }) => ({
      ...{ nodeId, before: 'in', name, isWarning: true },
      after: `${key} is null: no ${word} was given. A text is written ${JSON.stringify(word)}`,
    }));
}

const oneWord = /^(?!(?:true|false|null)$)[\p{L}_][\p{L}\p{N}_]*$/u;

const listed = (rows: readonly number[]): string =>
  rows
    .slice(0, mostRows)
    .map((row) => row + 1)
    .join(', ') + (rows.length > mostRows ? ` and ${rows.length - mostRows} more` : '');

/** The conditions of a row, as people write them: quotes and brackets are for the machine. */
export function conditionsOf(content: Readonly<Record<string, unknown>>, row: number): string {
  const rule = rowsOf(content, 'rules')[row] ?? {};
  return (
    rowsOf(content, 'inputs')
      .map((column) => textOf(rule[textOf(column['id'])]).trim())
      // A dash of DMN is a cell that asks for nothing.
      .filter((cell) => cell !== '' && cell !== '-')
      .map(plain)
      .join(', ')
  );
}

const plain = (cell: string): string =>
  cell
    .replaceAll(/(?:\b(?:d|date|time|date and time|duration)\(\s*("[^"]*"|'[^']*')\s*\)|@("[^"]*"))/g, '$1$2')
    .replaceAll(/(["'])((?:(?!\1).)*)\1/g, '$2')
    .replace(/^\[\s*([^[\]]+?)\s*\.\.\s*([^[\]]+?)\s*\]$/, '$1–$2')
    .replaceAll('>=', '≥')
    .replaceAll('<=', '≤');
