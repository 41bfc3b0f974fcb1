import type { SyntaxNode } from '@lezer/common';
import { compileExpression, Frame, isList, FeelRange, type Feel, type Run } from '../../engine/feel/index.js';
import { childrenOf, faultOf } from '../../engine/feel/parse.js';
import type { BoxedContext } from '../../engine/dmn/boxed/context.js';
import { fieldIn, type ReadField } from './fields.js';

/** What an expression of constants is made of. */
const constantNodes = new Set([
  ...[
    'NumericLiteral',
    'StringLiteral',
    'BooleanLiteral',
    'null',
    'AtLiteral',
    'DateTimeLiteral',
    'DateTimeConstructor',
  ],
  ...['PositionalParameters', 'ArithmeticExpression', 'ArithOp', 'ParenthesizedExpression', 'List', 'Interval'],
  ...['PositiveUnaryTests', 'PositiveUnaryTest', 'SimplePositiveUnaryTest', 'CompareOp'],
  ...['date', 'and', 'time', 'duration', '(', ')', '[', ']', '..', ',', '-'],
]);

const isConstant = (node: SyntaxNode): boolean => constantNodes.has(node.name) && childrenOf(node).every(isConstant);

/** Reads what expressions of a table do with the value that they test. */
export class ConstantReader {
  readonly #context: BoxedContext;
  readonly #run: Run;

  constructor(context: BoxedContext, run: Run) {
    this.#context = context;
    this.#run = run;
  }

  /**
   * The constants that a test compares its value with; undefined where it does anything else.
   * @param own the field that is tested, which the test may name in place of `?`
   */
  ofTest(source: string, own?: ReadField): Feel[] | undefined {
    const compared = this.#comparedIn(source, (node) => this.#constant(node, source), own);
    return compared?.flat();
  }

  /** The fields that a test compares its value with; undefined where it does anything else. */
  fieldsOfTest(source: string): ReadField[] | undefined {
    return this.#comparedIn(source, (node) => fieldIn(node, source, this.#context.scope));
  }

  #comparedIn<T>(source: string, read: (node: SyntaxNode) => T | undefined, own?: ReadField): T[] | undefined {
    const tree = this.#parsed(source, 'UnaryTests');
    const isTested = (node: SyntaxNode): boolean =>
      node.name === '?' || (own !== undefined && isSame(fieldIn(node, source, this.#context.scope), own));
    const nodes = tree && comparedNodes(tree, isTested);
    const found = nodes?.map(read);
    return found?.every((each) => each !== undefined) === true ? found : undefined;
  }

  /** Whether an expression is made of constants alone. */
  isConstant(source: string): boolean {
    const tree = this.#parsed(source, 'Expression');
    const [inner] = tree === undefined ? [] : childrenOf(tree);
    return inner !== undefined && isConstant(inner);
  }

  #parsed(source: string, dialect: 'Expression' | 'UnaryTests'): SyntaxNode | undefined {
    const { unit, scope } = this.#context;
    const tree = unit.parser.parse(source, dialect, scope);
    return faultOf(tree) === undefined ? tree.topNode : undefined;
  }

  #constant(node: SyntaxNode, source: string): Feel[] | undefined {
    if (!isConstant(node)) return undefined;
    const value = this.#evaluated(source.slice(node.from, node.to));
    return value instanceof FeelRange ? [value.low, value.high] : [value];
  }

  #evaluated(source: string): Feel {
    const { unit, scope, owner } = this.#context;
    const place = { nodeId: owner.id, node: owner.name, pointer: '', source };
    // The compiler has told its faults already.
    const code = compileExpression(place, scope, { ...unit, report: () => undefined });
    return code(new Frame(this.#run, null, []));
  }
}

const marks = new Set(['not', 'and', 'or', '(', ')', ',']);
const parts = new Set(['UnaryTests', 'PositiveUnaryTests', 'PositiveUnaryTest', 'Conjunction', 'Disjunction']);

const isSame = (field: ReadField | undefined, own: ReadField): boolean => field?.path.join() === own.path.join();

type IsTested = (node: SyntaxNode) => boolean;

/** What a test compares its value with; undefined where it does anything else with it. */
function comparedNodes(node: SyntaxNode, isTested: IsTested): SyntaxNode[] | undefined {
  const children = childrenOf(node);
  if (isTested(node) || node.name === 'Wildcard') return [];
  if (parts.has(node.name) || node.name === 'ParenthesizedExpression') return allCompared(children, isTested);
  const [first, operator, ...rest] = children;
  if (node.name === 'Comparison') {
    if (first === undefined || !isTested(first))
      return rest[0] && isTested(rest[0]) && operator?.name === 'CompareOp' && first ? [first] : undefined;
    return operator?.name === 'CompareOp' ? rest : allCompared(rest, isTested);
  }
  if (node.name !== 'SimplePositiveUnaryTest') return [node];
  return first?.name === 'CompareOp' ? operator && [operator] : [node];
}

function allCompared(nodes: readonly SyntaxNode[], isTested: IsTested): SyntaxNode[] | undefined {
  const all = nodes.filter(({ name }) => !marks.has(name)).map((node) => comparedNodes(node, isTested));
  return all.every((each) => each !== undefined) ? all.flat() : undefined;
}

/** Single values; undefined where there are lists within lists, or others that no order has. */
export function scalarsIn(values: readonly Feel[]): { readonly scalars: readonly Feel[]; readonly hasList: boolean } {
  const scalars: Feel[] = [];
  let hasList = false;
  for (const value of values) {
    if (!isList(value)) scalars.push(value);
    else {
      hasList = true;
      for (const item of value) scalars.push(...(item instanceof FeelRange ? [item.low, item.high] : [item]));
    }
  }
  return { scalars, hasList };
}
