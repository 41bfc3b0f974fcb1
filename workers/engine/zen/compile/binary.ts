import type { Scope, Value } from '../../values.js';
import type { Binary, BinaryOperator, Node } from '../ast.js';
import type { SourceSpan } from '../sourceSpan.js';
import { dynamic, fold, siteOf, type Compiled, type Context, type Evaluate } from './context.js';
import { equalTo, memberOf } from './membership.js';
import { compare, operators, truth } from './operators.js';

/** Longer chains of operators run as a loop, since nested closures would use up the stack. */
const longChain = 40;

/** `a + b`, `a and b`, … The left side may be a chain of thousands, so it is walked in a loop. */
export function compileBinary(context: Context, root: Binary, compile: (node: Node) => Compiled): Compiled {
  const chain: Binary[] = [];
  let start: Node = root;
  while (start.kind === 'binary') {
    chain.push(start);
    start = start.left;
  }
  chain.reverse();
  const first = compile(start);
  if (chain.length > longChain) return compileChain(context, first, chain, compile);
  return chain.reduce((left, node) => compilePair(context, node, left, compile(node.right)), first);
}

function compilePair(context: Context, node: Binary, left: Compiled, right: Compiled): Compiled {
  return fold(context, [left, right], pair(node, siteOf(context, node.span), left.evaluate, right));
}

/** Runs the operators one after the other over the value so far. */
function compileChain(
  context: Context,
  first: Compiled,
  chain: readonly Binary[],
  compile: (node: Node) => Compiled,
): Compiled {
  const steps = chain.map((node) => step(node, siteOf(context, node.span), compile(node.right).evaluate));
  return dynamic((scope) => {
    let value = first.evaluate(scope);
    for (const next of steps) value = next(value, scope);
    return value;
  });
}

function step({ operator }: Binary, site: SourceSpan, right: Evaluate): (left: Value, scope: Scope) => Value {
  switch (operator) {
    case 'and':
      return (left, scope) => truth(site, 'the left side of `and`', left) && right(scope);
    case 'or':
      return (left, scope) => truth(site, 'the left side of `or`', left) || right(scope);
    case '??':
      return (left, scope) => left ?? right(scope);
    default: {
      const apply = operators[operator];
      return (left, scope) => apply(site, scope.run, left, right(scope));
    }
  }
}

/** As `step`, and the forms that make up most of a model as closures of their own. */
function pair({ operator }: Binary, site: SourceSpan, l: Evaluate, right: Compiled): Evaluate {
  const r = right.evaluate;
  switch (operator) {
    case 'and':
      return (scope) => truth(site, 'the left side of `and`', l(scope)) && r(scope);
    case 'or':
      return (scope) => truth(site, 'the left side of `or`', l(scope)) || r(scope);
    case '??':
      return (scope) => l(scope) ?? r(scope);
    case '+':
    case '-':
      return integerArithmetic(operator, site, l, r);
    case '<':
    case '<=':
    case '>':
    case '>=':
      return ordering(operator, site, l, r);
    default: {
      const known = right.constant;
      const special = known === undefined ? undefined : comparisonWith(operator, site, l, known);
      const apply = operators[operator];
      return special ?? ((scope) => apply(site, scope.run, l(scope), r(scope)));
    }
  }
}

/** `x == 'a'` and `x in ['a', 'b']`, which is what most cells are. */
function comparisonWith(operator: BinaryOperator, site: SourceSpan, l: Evaluate, known: Value): Evaluate | undefined {
  if (operator === 'in' || operator === 'not in') return memberOf(site, operator === 'in', l, known);
  const test = operator === '==' || operator === '!=' ? equalTo(known) : undefined;
  return test && (operator === '==' ? (scope) => test(l(scope)) : (scope) => !test(l(scope)));
}

/** Results of small integers are exact as they are; anything else takes the general way. */
function integerArithmetic(operator: '+' | '-', site: SourceSpan, l: Evaluate, r: Evaluate): Evaluate {
  const general = operators[operator];
  const sign = operator === '+' ? 1 : -1;
  return (scope) => {
    const a = l(scope);
    const b = r(scope);
    return typeof a === 'number' && typeof b === 'number' && (a | 0) === a && (b | 0) === b
      ? a + sign * b
      : general(site, scope.run, a, b);
  };
}

type Ordering = '<' | '<=' | '>' | '>=';

function ordering(operator: Ordering, site: SourceSpan, l: Evaluate, r: Evaluate): Evaluate {
  const [less, more, equal] = [operator.startsWith('<'), operator.startsWith('>'), operator.endsWith('=')];
  return (scope) => {
    const a = l(scope);
    const b = r(scope);
    const order = typeof a === 'number' && typeof b === 'number' ? a - b : compare(site, operator, a, b);
    return order < 0 ? less : order > 0 ? more : equal;
  };
}
