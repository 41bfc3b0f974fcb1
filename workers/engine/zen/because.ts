import type { Value } from '../values.js';
import type { Binary, BinaryOperator, IntervalNode, Node } from './ast.js';
import { runAlone, scopeAlone } from './budget.js';
import { compileExpression } from './compile.js';
import { parseStandard, parseUnary } from './parser/index.js';
import { stringify } from './values/json.js';

/** What a condition that held is told with. */
interface Telling {
  readonly source: string;
  /** The value of a part; undefined where it cannot be known. */
  readonly valueOf: (node: Node) => Value | undefined;
}

/** Characters of a value, as it is told. */
const maxLength = 120;
const maxSteps = 100_000;

/**
 * Why a condition held, each reason with the values that it stood for, such as `debtRatio was 0.575, more than 0.5`. Of an
 * `or`, the parts that held. What reads more than the data is told as it is written.
 */
export function whyItHeld(source: string, data: Value): string[] {
  try {
    return reasons(parseStandard(source), { source, valueOf: (node) => valueIn(source, node, data) });
  } catch {
    return [written(source)];
  }
}

/** Why a cell of a table matched its field. */
export function whyItMatched(cell: string, field: string, value: Value): string {
  const was = `${field} was ${shown(value)}`;
  try {
    const node = parseUnary(cell);
    if (node.kind !== 'binary' || !isField(node.left)) return `${was}, which fits ${cell}`;
    return `${was}${compared(node, { source: cell, valueOf: (part) => valueIn(cell, part, null) })}`;
  } catch {
    return `${was}, which fits ${cell}`;
  }
}

const isField = (node: Node): boolean => node.kind === 'identifier' && node.name === '$';

const written = (source: string): string => `${source} held`;
const textOf = (source: string, { span: [start, end] }: Node): string => source.slice(start, end);

function reasons(node: Node, telling: Telling): string[] {
  const { source, valueOf } = telling;
  switch (node.kind) {
    case 'group':
      return reasons(node.inner, telling);
    case 'identifier':
    case 'member':
      return [`${textOf(source, node)} was ${shown(valueOf(node))}`];
    case 'unary':
      return node.operator === 'not' && isName(node.operand)
        ? [`${textOf(source, node.operand)} was ${shown(valueOf(node.operand))}`]
        : [written(textOf(source, node))];
    case 'binary':
      if (node.operator === 'and' || node.operator === 'or') return joined(node, telling);
      if (words[node.operator] === undefined) return [written(textOf(source, node))];
      return [comparison(node, telling)];
    default:
      return [written(textOf(source, node))];
  }
}

/** All parts of an `and` held; of an `or` those that did. */
function joined(node: Binary, telling: Telling): string[] {
  const parts: Node[] = [];
  let left: Node = node;
  for (; left.kind === 'binary' && left.operator === node.operator; left = left.left) parts.unshift(left.right);
  parts.unshift(left);
  const held = node.operator === 'and' ? parts : parts.filter((part) => telling.valueOf(part) === true);
  return held.length === 0 ? [written(textOf(telling.source, node))] : held.flatMap((part) => reasons(part, telling));
}

function comparison(node: Binary, telling: Telling): string {
  const value = telling.valueOf(node.left);
  if (value === undefined || telling.valueOf(node) !== true) return written(textOf(telling.source, node));
  const left = textOf(telling.source, node.left);
  if (node.left.kind === 'literal') return written(textOf(telling.source, node));
  return `${left} was ${shown(value)}${compared(node, telling)}`;
}

const words: Partial<Record<BinaryOperator, string>> = {
  '>': 'more than',
  '>=': 'at least',
  '<': 'less than',
  '<=': 'at most',
  '==': '',
  '!=': 'not',
  in: 'one of',
  'not in': 'none of',
};

/** What a value was compared with: nothing is said of what it is equal to. */
function compared({ operator, right }: Binary, { source, valueOf }: Telling): string {
  if (operator === '==') return '';
  if (right.kind === 'interval') return `, ${operator === 'in' ? '' : 'not '}${range(right, source)}`;
  const text = textOf(source, right);
  const value = right.kind === 'literal' || right.kind === 'array' ? undefined : valueOf(right);
  const told = right.kind === 'literal' ? shown(right.value) : text;
  return `, ${words[operator] ?? operator} ${told}${value === undefined ? '' : ` (${shown(value)})`}`;
}

function range({ open, left, right, close }: IntervalNode, source: string): string {
  const [low, high] = [textOf(source, left), textOf(source, right)];
  if (open === '[' && close === ']') return `from ${low} to ${high}`;
  return `${open === '[' ? 'at least' : 'more than'} ${low}, ${close === ']' ? 'at most' : 'less than'} ${high}`;
}

const isName = ({ kind }: Node): boolean => kind === 'identifier' || kind === 'member';

/** Variables of the environment and other nodes are not among the data. */
function valueIn(source: string, node: Node, data: Value): Value | undefined {
  const text = textOf(source, node);
  if (/\$(?!root\b)/.test(text)) return undefined;
  try {
    return compileExpression(text)(scopeAlone(data, runAlone(maxSteps)));
  } catch {
    return undefined;
  }
}

/** A value as people are told it. */
export function shown(value: unknown): string {
  if (value === undefined) return 'as the model wants it';
  if (value === null) return 'absent';
  const text = typeof value === 'string' ? `“${value}”` : stringify(value as Value);
  return text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;
}
