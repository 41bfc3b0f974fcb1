import type { Value } from '../../values.js';
import { charge } from '../budget.js';
import type { SourceSpan } from '../sourceSpan.js';
import type { Evaluate } from './context.js';
import { isIn } from './operators.js';

/** `x in constant`, of a list of scalars: as a set. */
export function memberOf(site: SourceSpan, wanted: boolean, left: Evaluate, container: Value): Evaluate | undefined {
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
