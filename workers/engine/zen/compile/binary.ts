import type { Scope, Value } from '../../values.js';
import type { Binary, Node } from '../ast.js';
import type { SourceSpan } from '../sourceSpan.js';
import { compileAlternatives } from './alternatives.js';
import { dynamic, fold, siteOf, type Compiled, type Context, type Evaluate } from './context.js';
import { equalTo, memberOf } from './membership.js';
import { compare, operators, plus, truth } from './operators.js';

/** Longer chains of operators run as a loop, since nested closures would use up the stack. */
const longChain = 40;

/** `a + b`, `a and b`, … The left side may be a chain of thousands, so it is walked in a loop. */
export function compileBinary(context: Context, root: Binary, compile: (node: Node) => Compiled): Compiled {
  const alternatives = root.operator === 'or' ? compileAlternatives(root, compile) : undefined;
  if (alternatives) return alternatives;
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
  const site = siteOf(context, node.span);
  return fold(
    context,
    [left, right],
    specialised(node, site, left, right) ?? general(node, site, left.evaluate, right.evaluate),
  );
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

function general(node: Binary, site: SourceSpan, left: Evaluate, right: Evaluate): Evaluate {
  const next = step(node, site, right);
  return (scope) => next(left(scope), scope);
}

/** The forms that make up most of a model, each a closure of its own. */
function specialised(node: Binary, site: SourceSpan, left: Compiled, right: Compiled): Evaluate | undefined {
  const { operator } = node;
  const l = left.evaluate;
  const r = right.evaluate;
  switch (operator) {
    case 'and':
      return (scope) => truth(site, 'the left side of `and`', l(scope)) && r(scope);
    case 'or':
      return (scope) => truth(site, 'the left side of `or`', l(scope)) || r(scope);
    case '??':
      return (scope) => l(scope) ?? r(scope);
    case '==':
    case '!=':
      return equality(operator === '==', left, right);
    case 'in':
    case 'not in':
      return right.constant === undefined ? undefined : memberOf(site, operator === 'in', l, right.constant);
    case '+':
    case '-':
    case '*':
      return integerArithmetic(operator, site, l, r);
    case '<':
    case '<=':
    case '>':
    case '>=':
      return ordering(operator, site, left, right);
    default:
      return undefined;
  }
}

function equality(wanted: boolean, left: Compiled, right: Compiled): Evaluate | undefined {
  const known = right.constant !== undefined ? right.constant : left.constant;
  const open = right.constant !== undefined ? left.evaluate : right.evaluate;
  if (known === undefined) return undefined;
  const test = equalTo(known);
  return test && (wanted ? (scope) => test(open(scope)) : (scope) => !test(open(scope)));
}

/** Results of small integers are exact as they are; anything else takes the general way. */
function integerArithmetic(operator: '+' | '-' | '*', site: SourceSpan, l: Evaluate, r: Evaluate): Evaluate {
  if (operator === '+') {
    return (scope) => {
      const a = l(scope);
      const b = r(scope);
      return typeof a === 'number' && typeof b === 'number' && (a | 0) === a && (b | 0) === b
        ? a + b
        : plus(site, scope.run, a, b);
    };
  }
  const slow = operators[operator];
  if (operator === '-') {
    return (scope) => {
      const a = l(scope);
      const b = r(scope);
      return typeof a === 'number' && typeof b === 'number' && (a | 0) === a && (b | 0) === b
        ? a - b
        : slow(site, scope.run, a, b);
    };
  }
  return (scope) => {
    const a = l(scope);
    const b = r(scope);
    if (typeof a === 'number' && typeof b === 'number' && (a | 0) === a && (b | 0) === b) {
      const product = a * b;
      if (Number.isSafeInteger(product)) return product + 0;
    }
    return slow(site, scope.run, a, b);
  };
}

type Ordering = '<' | '<=' | '>' | '>=';

function ordering(operator: Ordering, site: SourceSpan, left: Compiled, right: Compiled): Evaluate {
  const l = left.evaluate;
  const r = right.evaluate;
  const limit = right.constant;
  if (typeof limit === 'number') return orderingTo(operator, site, l, limit);
  switch (operator) {
    case '<':
      return (scope) => {
        const a = l(scope);
        const b = r(scope);
        return typeof a === 'number' && typeof b === 'number' ? a < b : compare(site, '<', a, b) < 0;
      };
    case '<=':
      return (scope) => {
        const a = l(scope);
        const b = r(scope);
        return typeof a === 'number' && typeof b === 'number' ? a <= b : compare(site, '<=', a, b) <= 0;
      };
    case '>':
      return (scope) => {
        const a = l(scope);
        const b = r(scope);
        return typeof a === 'number' && typeof b === 'number' ? a > b : compare(site, '>', a, b) > 0;
      };
    case '>=':
      return (scope) => {
        const a = l(scope);
        const b = r(scope);
        return typeof a === 'number' && typeof b === 'number' ? a >= b : compare(site, '>=', a, b) >= 0;
      };
  }
}

function orderingTo(operator: Ordering, site: SourceSpan, l: Evaluate, limit: number): Evaluate {
  switch (operator) {
    case '<':
      return (scope) => {
        const a = l(scope);
        return typeof a === 'number' ? a < limit : compare(site, '<', a, limit) < 0;
      };
    case '<=':
      return (scope) => {
        const a = l(scope);
        return typeof a === 'number' ? a <= limit : compare(site, '<=', a, limit) <= 0;
      };
    case '>':
      return (scope) => {
        const a = l(scope);
        return typeof a === 'number' ? a > limit : compare(site, '>', a, limit) > 0;
      };
    case '>=':
      return (scope) => {
        const a = l(scope);
        return typeof a === 'number' ? a >= limit : compare(site, '>=', a, limit) >= 0;
      };
  }
}
