/** What stands in a model's node, whose shape is its author's: anything may be missing. */
export type Fields = Readonly<Record<string, unknown>>;

/** A number that is kept as it was written is an object, too, which has no members. */
export const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !isExact(value);

/** Whether it is a number that is kept as it was written. */
export const isExact = (value: object): boolean =>
  (JSON as { isRawJSON?: (of: unknown) => boolean }).isRawJSON?.(value) === true;

export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** What stands in an object; nothing in what is none. */
export const membersOf = (value: unknown): Fields => (isObject(value) ? value : {});

/** A list of objects within an object; what is none is left out. */
export function rowsOf(content: unknown, name: string): readonly Fields[] {
  const list = membersOf(content)[name];
  return Array.isArray(list) ? (list as readonly unknown[]).filter(isObject) : [];
}

/** What stands at a path of names; undefined where nothing does. */
export const valueAt = (value: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>((found, name) => membersOf(found)[name], value);

/** `hitPolicy` → `hit policy`. */
export const wordsIn = (name: string): string =>
  name.replace(/([a-z])([A-Z])/g, (_, end: string, start: string) => `${end} ${start.toLowerCase()}`);

/**
 * The names that lead from what comes into a table to the field that a column of it reads: `customer.age`, `$root["Loan type"]`;
 * none of an expression. Names of a document of DMN may have blanks.
 */
export function fieldPath(field: string, isOfDocument: boolean): readonly string[] {
  if (isOfDocument) return /^[\p{L}_][\p{L}\p{N}_ .]*$/u.test(field) ? field.split('.').map((name) => name.trim()) : [];
  if (/^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*$/.test(field)) return field.split('.');
  const bracketed = /^\$root\[(["'])([^"'\\]*)\1\]$/.exec(field)?.[2];
  return bracketed === undefined ? [] : [bracketed];
}

/** All of a list in a sentence: `a, b and c`. */
export const allOf = (items: readonly string[]): string =>
  items.length < 2 ? items.join() : `${items.slice(0, -1).join(', ')} and ${items.at(-1) ?? ''}`;

/** Numbers of rows, of which those that follow one another are told by the first and the last: `3, 7–12`. */
export function rowNumbers(rows: readonly (number | string)[]): string {
  const runs: (readonly [first: number | string, last: number | string])[] = [];
  for (const row of rows) {
    const [first, last] = runs.at(-1) ?? [];
    if (first !== undefined && typeof last === 'number' && row === last + 1) runs[runs.length - 1] = [first, row];
    else runs.push([row, row]);
  }
  return runs.map(([first, last]) => (first === last ? String(first) : `${first}–${last}`)).join(', ');
}

/** The first of a list, and how many more there are: `1, 2, 3 and 5 more`. */
export const someOf = (items: readonly (number | string)[], most: number): string =>
  items.slice(0, most).join(', ') + (items.length > most ? ` and ${items.length - most} more` : '');

/** The first of `test 3`, `test 4` … that none of the others is called. */
export function freshName(start: string, from: number, taken: readonly (string | undefined)[]): string {
  for (let number = from; ; number++) if (!taken.includes(`${start}${number}`)) return `${start}${number}`;
}

/** The names in a JSON Pointer: thousands of faults have one each, and hardly any a sign that stands for another. */
export const stepsOf = (pointer: string): readonly string[] => {
  const steps = pointer.split('/').slice(1);
  return pointer.includes('~') ? steps.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~')) : steps;
};

/** A name as it stands in a JSON Pointer. */
export const stepOf = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1');

/** JSON Pointers in a line. A name alone is the pointer to it; behind a slash it may have blanks. */
export const pointersIn = (line: string): readonly string[] =>
  line
    .trim()
    .split(line.trim().startsWith('/') ? /\s+(?=\/)/ : /\s+/)
    .flatMap((word) => (word === '' ? [] : word.startsWith('/') ? word : `/${word}`));

/** The indexes of rows or statements, by what reports call them. */
export const ruleIndexes = (rows: readonly Fields[]): ReadonlyMap<string, number> =>
  new Map(rows.map((row, index) => [ruleIdOf(row, index), index]));

/** What reports call a row or a statement: its id, else its number from 0. */
export const ruleIdOf = (rule: Fields, index: number): string =>
  textOf(rule['_id']) || textOf(rule['id']) || String(index);

/** A boxed expression, as it is drawn: a text, or boxes by name, or rows of boxes. */
export type Box =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'entries'; readonly name: string; readonly entries: readonly (readonly [string, Box])[] }
  | { readonly kind: 'rows'; readonly columns: readonly string[]; readonly rows: readonly (readonly Box[])[] };

/** A result with what was decided before what is passed on as it came: behind a long fact nobody finds the answer. */
export function decidedFirst(given: unknown, result: unknown): unknown {
  if (!isObject(result) || !isObject(given)) return result;
  const isPassed = ([name, value]: readonly [string, unknown]): boolean =>
    JSON.stringify(value) === JSON.stringify(given[name]);
  const members = Object.entries(result);
  return Object.fromEntries([...members.filter((member) => !isPassed(member)), ...members.filter(isPassed)]);
}
