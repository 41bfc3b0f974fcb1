/** What stands in a model's node, whose shape is its author's: anything may be missing. */
export type Fields = Readonly<Record<string, unknown>>;

/** A number that is kept as it was written is an object, too, which has no members. */
export const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !isExact(value);

/** Whether it is a number that is kept as it was written. */
export const isExact = (value: object): boolean =>
  (JSON as { isRawJSON?: (of: unknown) => boolean }).isRawJSON?.(value) === true;

export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** A list of objects within an object; what is none is left out. */
export function rowsOf(content: Fields, name: string): readonly Fields[] {
  const list = content[name];
  return Array.isArray(list) ? (list as readonly unknown[]).filter(isObject) : [];
}

/** The names in a JSON Pointer. */
export const stepsOf = (pointer: string): readonly string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));

/** What reports call a row or a statement: its id, else its number from 0. */
export const ruleIdOf = (rule: Fields, index: number): string =>
  textOf(rule['_id']) || textOf(rule['id']) || String(index);
