import type { Value } from '../values.js';
import { equals } from '../zen/values/equals.js';
import type { Checked, Keyword, Violation } from './keywords.js';

/**
 * `const`, `enum` and `uniqueItems` by the engine's equality: Ajv's own calls `valueOf` and `toString` of what it
 * compares, which a fact may define as properties. A run pays for each comparison, of lists and objects
 * for that of each of their parts.
 */
export function equality({ pay }: Pick<Checked, 'pay'>): Keyword[] {
  return [
    {
      keyword: 'const',
      check: (constant) => (value) =>
        equals(value, constant, pay) || { message: 'must be equal to constant', params: {} },
    },
    {
      keyword: 'enum',
      schemaType: 'array',
      check: (under) => {
        const allowed = under as readonly Value[];
        const scalars = new Set(allowed.filter(isScalar));
        const others = allowed.filter((one) => !isScalar(one));
        const violation = { message: 'must be equal to one of the allowed values', params: { allowedValues: allowed } };
        return (value) => {
          if (isScalar(value)) return scalars.has(value) || violation;
          return others.some((one) => equals(value, one, pay)) || violation;
        };
      },
    },
    {
      keyword: 'uniqueItems',
      type: 'array',
      schemaType: 'boolean',
      check: (unique) => (value) => unique !== true || !Array.isArray(value) || uniqueness(value, pay),
    },
  ];
}

const isScalar = (value: Value): boolean => typeof value !== 'object' || value === null;

function uniqueness(items: readonly Value[], pay: Checked['pay']): true | Violation {
  const scalars = new Map<Value, number>();
  const others: number[] = [];
  for (const [index, item] of items.entries()) {
    const scalar = isScalar(item);
    const twin = scalar ? scalars.get(item) : others.find((other) => equals(item, items[other] ?? null, pay));
    if (twin !== undefined) {
      const message = `must NOT have duplicate items (items ## ${twin} and ${index} are identical)`;
      return { message, params: { i: index, j: twin } };
    }
    if (scalar) scalars.set(item, index);
    else others.push(index);
  }
  return true;
}
