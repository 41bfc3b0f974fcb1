import type { Scope, Value } from '../../values.js';
import type { Binary, Node } from '../ast.js';
import { charge } from '../budget.js';
import type { SourceSpan } from '../sourceSpan.js';
import { dynamic, fold, siteOf, type Compiled, type Context } from './context.js';
import { operators, truth } from './operators.js';

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
  const site = siteOf(context, node.span);
  const next = step(node, site, right);
  return fold(context, [left, right], (scope) => next(left.evaluate(scope), scope));
}

/** Runs the operators one after the other over the value so far. */
function compileChain(
  context: Context,
  first: Compiled,
  chain: readonly Binary[],
  compile: (node: Node) => Compiled,
): Compiled {
  const steps = chain.map((node) => step(node, siteOf(context, node.span), compile(node.right)));
  return dynamic((scope) => {
    let value = first.evaluate(scope);
    for (const next of steps) value = next(value, scope);
    return value;
  });
}

/** What an operator makes of the value on its left. */
function step({ operator }: Binary, site: SourceSpan, right: Compiled): (left: Value, scope: Scope) => Value {
  const { evaluate, constant } = right;
  switch (operator) {
    case 'and':
      return (left, scope) => truth(site, 'the left side of `and`', left) && evaluate(scope);
    case 'or':
      return (left, scope) => truth(site, 'the left side of `or`', left) || evaluate(scope);
    case '??':
      return (left, scope) => left ?? evaluate(scope);
    default: {
      const apply = operators[operator];
      if ((operator === 'in' || operator === 'not in') && Array.isArray(constant) && constant.every(isPlain))
        return memberOf(constant, operator === 'in', (scope, left) => apply(site, scope.run, left, constant));
      return (left, scope) => apply(site, scope.run, left, evaluate(scope));
    }
  }
}

const isPlain = (value: Value): boolean => typeof value !== 'object' || value === null;

/** `x in ['a', 'b']`: lists of thousands of codes are sets. @param general for values that are objects */
function memberOf(
  list: readonly Value[],
  wanted: boolean,
  general: (scope: Scope, value: Value) => Value,
): (left: Value, scope: Scope) => Value {
  const items = new Set(list);
  const cost = Math.min(list.length, 4);
  return (left, scope) => {
    if (!isPlain(left)) return general(scope, left);
    charge(scope.run, cost);
    return items.has(left) === wanted;
  };
}
