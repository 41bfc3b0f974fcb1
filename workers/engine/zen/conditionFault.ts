import { hintOf, isFormula, pointsOf } from '../../cells/index.js';
import { readWholeCondition } from './wholeConditions.js';
import { walk, type Node } from './ast.js';
import { isOrdering, namesNothing } from './cellFault.js';
import { treeOf } from './usage.js';

/** What is wrong with a whole condition, and what its author may mean. */
interface ConditionFault {
  readonly message: string;
  readonly hint: string;
  readonly readings: readonly string[];
}

/**
 * What is wrong with a condition of a switch, or of a column without a field, that a person means otherwise than ZEN reads
 * it: such a condition never holds. Undefined where nobody can say more than that it does not parse.
 * @param knows whether a name that begins a path is one of the data
 */
export function conditionFault(source: string, knows: (name: string) => boolean): ConditionFault | undefined {
  const tree = treeOf(source, 'standard');
  const isNaming = tree !== undefined && names(tree);
  if (tree !== undefined && !isNaming) {
    const edits = editsIn(tree, source, knows);
    const readings = withPoints(edited(source, edits));
    const message = edits[0]?.message ?? (readings.length > 1 ? 'Its point may stand between thousands.' : undefined);
    return message === undefined ? undefined : faultOf(message, source, readings);
  }
  // The parser says what a formula is in ZEN.
  if (isFormula(source)) return undefined;
  const readings = readWholeCondition(source).flatMap((text) => {
    const meant = treeOf(text, 'standard');
    return meant === undefined || names(meant) ? [] : withPoints(edited(text, editsIn(meant, text, knows)));
  });
  if (isNaming)
    return faultOf('One `=` gives a value a name, and compares nothing: this never holds.', source, readings);
  return readings.length === 0 ? undefined : faultOf('A condition is written otherwise here.', source, readings);
}

/** Whether a part of it only gives names, as `score = 600` does: `x = 5; x > 3` goes on with what holds or does not. */
function names(tree: Node): boolean {
  let found = false;
  walk(tree, (node) => {
    found ||= node.kind === 'assignments' && node.output === null;
  });
  return found;
}

const faultOf = (message: string, source: string, readings: readonly string[]): ConditionFault => ({
  message,
  hint: readings.length === 0 ? 'Compare with `==`.' : hintOf('comparison', readings, source),
  readings,
});

/** What stands in place of a part of a condition, and what is wrong with that part. */
interface Edit {
  readonly message: string;
  readonly span: readonly [start: number, end: number];
  readonly text: string;
}

function editsIn(tree: Node, source: string, knows: (name: string) => boolean): readonly Edit[] {
  const edits: Edit[] = [];
  const textOf = ({ span: [start, end] }: Node): string => source.slice(start, end);
  walk(tree, (node) => {
    if (node.kind !== 'binary') return;
    const { left, right } = node;
    if (isOrdering(node) && isOrdering(left)) {
      const message = 'The second sign compares whether the first one holds: this never does.';
      const middle = left.kind === 'binary' ? textOf(left.right) : '';
      edits.push({ message, span: [left.span[1], left.span[1]], text: ` and ${middle}` });
    }
    for (const [text, other] of [
      [left, right],
      [right, left],
    ] as const) {
      if (!isOrdering(node) || text.kind !== 'literal' || typeof text.value !== 'string' || !isPath(other)) continue;
      if (!number.test(text.value)) continue;
      edits.push({ message: 'Texts have no order: this never holds.', span: text.span, text: text.value });
    }
  });
  for (const { name, span } of wordsIn(tree))
    if (!knows(name)) edits.push({ message: namesNothing(name), span, text: JSON.stringify(name) });
  return edits;
}

const number = /^-?\d+(?:\.\d+)?$/;
const isPath = ({ kind }: Node): boolean => kind === 'identifier' || kind === 'member';

/** The source with all of them, from its end on. */
const edited = (source: string, edits: readonly Edit[]): string =>
  [...edits]
    .sort((one, other) => other.span[0] - one.span[0])
    .reduce((text, { span: [start, end], text: own }) => text.slice(0, start) + own + text.slice(end), source);

/** `fee > 10.000` compares with ten, or with ten thousand: nobody writes zeros behind a point who does not mean thousands, or a style. */
function withPoints(source: string): readonly string[] {
  const tree = treeOf(source, 'standard');
  const spans: Edit['span'][] = [];
  if (tree !== undefined) {
    walk(tree, (node) => {
      if (node.kind !== 'binary' || !compares.has(node.operator)) return;
      for (const { kind, span } of [node.left, node.right])
        if (kind === 'literal' && isIdle(source.slice(...span))) spans.push(span);
    });
  }
  if (spans.length === 0) return [source];
  const withNumbers = (numberOf: (text: string) => string): string =>
    edited(
      source,
      spans.map((span) => ({ message: '', span, text: numberOf(source.slice(...span)) })),
    );
  return [withNumbers((text) => String(Number(text))), withNumbers((text) => text.replace('.', ''))];
}

const compares: ReadonlySet<string> = new Set(['<', '<=', '>', '>=', '==', '!=']);
/** As in the cells of a table. */
const isIdle = (text: string): boolean => /^[\d.]+$/.test(text) && pointsOf(text).isIdle;

/** Names that something is compared with, to be equal or not: where nothing else speaks of them, they are texts without quotes. */
export function wordsIn(tree: Node): readonly Extract<Node, { readonly kind: 'identifier' }>[] {
  const found: Extract<Node, { readonly kind: 'identifier' }>[] = [];
  const add = (node: Node): void => {
    if (node.kind === 'identifier' && !/^[$#]/.test(node.name)) found.push(node);
  };
  walk(tree, (node) => {
    // One `=` is meant to compare, too.
    if (node.kind === 'assignments' && node.output === null) for (const { value } of node.list) add(value);
    if (node.kind !== 'binary' || !isPath(node.left)) return;
    const { operator, right } = node;
    const isEquality = operator === '==' || operator === '!=';
    const isMember = (operator === 'in' || operator === 'not in') && right.kind === 'array';
    for (const each of isEquality ? [right] : isMember ? right.items : []) add(each);
  });
  return found;
}
