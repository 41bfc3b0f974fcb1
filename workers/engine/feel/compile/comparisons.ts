import { compare, equal } from '../values/compare.js';
import { kindOf, type Feel } from '../values/value.js';
import type { Run, Site } from '../run.js';

/** Whether an order (negative, zero, positive) is the one that an operator asks for. */
export const orders: Readonly<Record<string, (order: number) => boolean>> = {
  '<': (order) => order < 0,
  '<=': (order) => order <= 0,
  '>': (order) => order > 0,
  '>=': (order) => order >= 0,
};

export type Comparison = (a: Feel, b: Feel, run: Run, site: Site) => Feel;

/** What an operator of comparison gives; undefined for another text. */
export function comparisonOf(operator: string): Comparison | undefined {
  if (operator === '=' || operator === '!=') {
    const wanted = operator === '=';
    return (a, b, run, site) => {
      const same = equal(a, b, run);
      return same === undefined ? incomparable(a, b, run, site) : same === wanted;
    };
  }
  const order = orders[operator];
  if (order === undefined) return undefined;
  return (a, b, run, site) => {
    const compared = compare(a, b);
    return compared === undefined ? incomparable(a, b, run, site) : order(compared);
  };
}

/** Null has no order, which is no fault of a model: a fact without a member is an everyday thing. */
const incomparable = (a: Feel, b: Feel, run: Run, site: Site): null =>
  a === null || b === null ? null : run.warn(site, `A ${kindOf(a)} and a ${kindOf(b)} cannot be compared.`);
