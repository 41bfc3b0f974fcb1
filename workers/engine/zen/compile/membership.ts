import type { Value } from '../../values.js';
import { charge } from '../budget.js';
import type { SourceSpan } from '../sourceSpan.js';
import { equalScalars } from '../values/equals.js';
import { ZenInterval } from '../values/interval.js';
import type { Evaluate } from './context.js';
import { isIn } from './operators.js';

/** Is a value equal to the constant? A comparison of its own for the kinds that cells are made of. */
export function equalTo(known: Value): ((value: Value) => boolean) | undefined {
  switch (typeof known) {
    case 'boolean':
      return (value) => value === known;
    case 'string':
    case 'number':
      return (value) => value === known || (typeof value === 'object' && equalScalars(value, known));
    default:
      return known === null ? (value) => value === null : undefined;
  }
}

/** `x in constant`: bounds compared directly, lists as a set. */
export function memberOf(site: SourceSpan, wanted: boolean, left: Evaluate, container: Value): Evaluate | undefined {
  if (container instanceof ZenInterval) return inInterval(site, wanted, left, container);
  if (!Array.isArray(container)) return undefined;
  if (!container.every((item) => typeof item !== 'object' || item === null)) return undefined;
  const items: ReadonlySet<Value> = new Set(container);
  const cost = Math.min(container.length, 4);
  return (scope) => {
    const value = left(scope);
    if (typeof value !== 'object' || value === null) {
      charge(scope.run, cost);
      return items.has(value) === wanted;
    }
    return isIn(site, scope.run, value, container) === wanted;
  };
}

function inInterval(site: SourceSpan, wanted: boolean, left: Evaluate, interval: ZenInterval): Evaluate {
  const { left: low, right: high, open, close } = interval;
  const isPlain = (open === '[' || open === '(') && (close === ']' || close === ')');
  if (typeof low !== 'number' || typeof high !== 'number' || !isPlain) {
    return (scope) => isIn(site, scope.run, left(scope), interval) === wanted;
  }
  const withLow = open === '[';
  const withHigh = close === ']';
  return (scope) => {
    const value = left(scope);
    if (typeof value !== 'number') return isIn(site, scope.run, value, interval) === wanted;
    return ((withLow ? value >= low : value > low) && (withHigh ? value <= high : value < high)) === wanted;
  };
}
