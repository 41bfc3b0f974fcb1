import type { RunState, Scope, Value } from '../../values.js';
import type { ClosureCall, ClosureName, Node } from '../ast.js';
import { charge, chargeItems } from '../budget.js';
import { appendFlat } from '../functions/lists.js';
import type { CallSite } from '../functions/define.js';
import { checkLength, errorAt, type SourceSpan } from '../sourceSpan.js';
import { ZenInterval } from '../values/interval.js';
import { kindOf } from '../values/kinds.js';
import { isNumeric } from '../values/numbers.js';
import { wholePart } from '../values/rounding.js';
import { dynamic, siteOf, type Cell, type Compiled, type Context, type Evaluate } from './context.js';
import { truth } from './operators.js';

/** What a closure goes through: the items of a list, or the integers of an interval, which are never written down. */
interface Items {
  readonly list: readonly Value[] | null;
  readonly start: number;
  readonly length: number;
}

/** `map(list, body)` and its kin. */
export function compileClosure(context: Context, node: ClosureCall, compile: (node: Node) => Compiled): Compiled {
  const list = compile(node.list).evaluate;
  const cell: Cell = { value: null, isSet: true };
  context.closures.push({ alias: node.alias, cell });
  const body = compile(node.body).evaluate;
  context.closures.pop();
  const call: CallSite = { ...siteOf(context, node.span), name: node.name };
  const loop = loops[node.name]({ call, bodySite: siteOf(context, node.body.span), body, cell });
  return dynamic((scope) => {
    const result = loop(scope, itemsOf(call, list(scope), scope.run));
    cell.value = null;
    return result;
  });
}

interface Closure {
  readonly call: CallSite;
  readonly bodySite: SourceSpan;
  readonly body: Evaluate;
  readonly cell: Cell;
}

type Loop = (scope: Scope, items: Items) => Value;

function itemsOf(call: CallSite, value: Value, run: RunState): Items {
  const items = Array.isArray(value) ? { list: value, start: 0, length: value.length } : integersOf(value);
  if (!items)
    throw errorAt(call, 'type_error', `\`${call.name}\` takes a list or an interval of numbers, not ${kindOf(value)}`);
  if (items.length > run.limits.iterations) {
    throw errorAt(
      call,
      'limit_iterations',
      `\`${call.name}\` would go through more than ${run.limits.iterations} items`,
    );
  }
  return items;
}

function integersOf(value: Value): Items | undefined {
  if (!(value instanceof ZenInterval) || !isNumeric(value.left) || !isNumeric(value.right)) return undefined;
  const low = wholePart(value.left);
  const high = wholePart(value.right);
  if (low === undefined || high === undefined || value.open === ')' || value.open === ']') return undefined;
  if (value.close === '(' || value.close === '[') return undefined;
  const start = value.open === '(' ? low + 1 : low;
  const end = value.close === ')' ? high - 1 : high;
  return { list: null, start, length: Math.max(0, end - start + 1) };
}

/** Puts the next item where the body reads it. */
function enter(cell: Cell, items: Items, index: number): void {
  cell.value = items.list ? (items.list[index] ?? null) : items.start + index;
}

/** A loop that ends with `found` when the condition first is `until`, else with its opposite. */
function search(until: boolean, found: boolean): (closure: Closure) => Loop {
  return ({ call, bodySite, body, cell }) => {
    const what = `the condition of \`${call.name}\``;
    return (scope, items) => {
      for (let index = 0; index < items.length; index++) {
        charge(scope.run, 1);
        enter(cell, items, index);
        if (truth(bodySite, what, body(scope)) === until) return found;
      }
      return !found;
    };
  };
}

function counting(result: (count: number) => Value): (closure: Closure) => Loop {
  return ({ call, bodySite, body, cell }) => {
    const what = `the condition of \`${call.name}\``;
    return (scope, items) => {
      let count = 0;
      for (let index = 0; index < items.length; index++) {
        charge(scope.run, 1);
        enter(cell, items, index);
        if (truth(bodySite, what, body(scope))) count += 1;
      }
      return result(count);
    };
  };
}

function mapped({ call, body, cell }: Closure, scope: Scope, items: Items): Value[] {
  checkLength(call, scope.run, items.length);
  chargeItems(scope.run, items.length);
  const results: Value[] = [];
  for (let index = 0; index < items.length; index++) {
    charge(scope.run, 1);
    enter(cell, items, index);
    results.push(body(scope));
  }
  return results;
}

function filtering({ call, bodySite, body, cell }: Closure): Loop {
  return (scope, items) => {
    const kept: Value[] = [];
    for (let index = 0; index < items.length; index++) {
      charge(scope.run, 1);
      enter(cell, items, index);
      const item = cell.value;
      if (truth(bodySite, 'the condition of `filter`', body(scope))) kept.push(item);
    }
    checkLength(call, scope.run, kept.length);
    chargeItems(scope.run, kept.length);
    return kept;
  };
}

/** Appends each list at once: held until the end, they could be a thousand times the limit of one list. */
function flatMapped({ call, body, cell }: Closure): Loop {
  return (scope, items) => {
    const flat: Value[] = [];
    for (let index = 0; index < items.length; index++) {
      charge(scope.run, 1);
      enter(cell, items, index);
      appendFlat(call, scope.run, flat, body(scope));
    }
    return flat;
  };
}

const loops: Readonly<Record<ClosureName, (closure: Closure) => Loop>> = {
  all: search(false, false),
  some: search(true, true),
  none: search(true, false),
  one: counting((count) => count === 1),
  count: counting((count) => count),
  filter: filtering,
  map: (closure) => (scope, items) => mapped(closure, scope, items),
  flatMap: flatMapped,
};
