import type { Ajv, ErrorObject, FuncKeywordDefinition } from 'ajv';
import type { Value } from '../values.js';
import { equals } from '../zen/values/equals.js';

type Judge = ReturnType<NonNullable<FuncKeywordDefinition['compile']>>;
type Violation = Pick<ErrorObject, 'message' | 'params'>;

/**
 * Gives an instance `const`, `enum` and `uniqueItems` by the engine's equality: Ajv's own calls `valueOf` and
 * `toString` of what it compares, which a fact may define as properties.
 * @param pay takes steps off the run that is being checked, one for each list or object that another is compared with
 */
export function setEquality(ajv: Ajv, pay: (steps: number) => void): Ajv {
  const set = (definition: FuncKeywordDefinition & { readonly keyword: string }): void => {
    ajv.removeKeyword(definition.keyword).addKeyword(definition);
  };
  set({
    keyword: 'const',
    compile: (constant: Value) =>
      judge((value) => equals(value, constant) || { message: 'must be equal to constant', params: {} }),
  });
  set({
    keyword: 'enum',
    schemaType: 'array',
    compile(allowed: readonly Value[]) {
      const scalars = new Set(allowed.filter(isScalar));
      const others = allowed.filter((one) => !isScalar(one));
      const violation = { message: 'must be equal to one of the allowed values', params: { allowedValues: allowed } };
      return judge((value) => {
        if (isScalar(value)) return scalars.has(value) || violation;
        pay(others.length);
        return others.some((one) => equals(value, one)) || violation;
      });
    },
  });
  set({
    keyword: 'uniqueItems',
    type: 'array',
    schemaType: 'boolean',
    compile: (unique: boolean) => judge((value) => !unique || !Array.isArray(value) || uniqueness(value, pay)),
  });
  return ajv;
}

const isScalar = (value: Value): boolean => typeof value !== 'object' || value === null;

/** A check in Ajv's form. Ajv adds to the error objects, so that each failure needs new ones. */
function judge(check: (value: Value) => true | Violation): Judge {
  const validate: Judge = (value: Value) => {
    const found = check(value);
    if (found === true) return true;
    validate.errors = [{ ...found }];
    return false;
  };
  return validate;
}

function uniqueness(items: readonly Value[], pay: (steps: number) => void): true | Violation {
  const scalars = new Map<Value, number>();
  const others: number[] = [];
  for (const [index, item] of items.entries()) {
    const scalar = isScalar(item);
    if (!scalar) pay(others.length);
    const twin = scalar ? scalars.get(item) : others.find((other) => equals(item, items[other] ?? null));
    if (twin !== undefined) {
      const message = `must NOT have duplicate items (items ## ${twin} and ${index} are identical)`;
      return { message, params: { i: index, j: twin } };
    }
    if (scalar) scalars.set(item, index);
    else others.push(index);
  }
  return true;
}
