import { isRecord, LongNumber, pointerStep, stepsOf } from '../../json/index.js';
import { isNumber, type JsonNumber } from './numbers.js';

/** What stands in one place of two values (parsed JSON); `before` or `after` is absent where there is nothing. */
interface Sides {
  readonly before?: unknown;
  readonly after?: unknown;
}

/** A place at which two values differ. */
export interface ChangedField extends Sides {
  /** JSON Pointer (RFC 6901). */
  readonly pointer: string;
}

/** Changes of one result that are looked for at most. */
export const maxChanges = 1000;

/**
 * Characters of a pointer. An object whose fields have longer ones is one part: a name of a megabyte would stand in the pointer of
 * each field below it, and a thousand of those are more than a thread has room for.
 */
const longestPointer = 2000;

/** What is ignored below a pointer, by its next step. */
interface Ignored {
  whole: boolean;
  readonly steps: Map<string, Ignored>;
}

type Container = Readonly<Record<string, unknown>>;

/** What counts as a part by itself, and how many differences are told. */
interface Grain {
  readonly most: number;
  /** Whether two lists are compared as a whole; by default items are, by index. */
  readonly isWhole: (before: readonly unknown[], after: readonly unknown[]) => boolean;
}

/** Finds the smallest parts in which two values differ: objects by name, lists by index. */
export class Comparison {
  readonly #areNear: (one: JsonNumber, other: JsonNumber) => boolean;
  readonly #ignored: readonly Ignored[];
  readonly #grain: Grain;

  /** @param ignore pointers of what does not count @param areNear whether two numbers count as the same */
  constructor(
    ignore: readonly string[],
    areNear: (one: JsonNumber, other: JsonNumber) => boolean,
    grain: Grain = { most: maxChanges, isWhole: () => false },
  ) {
    this.#areNear = areNear;
    this.#ignored = ignore.length === 0 ? [] : [treeOf(ignore)];
    this.#grain = grain;
  }

  /** The first parts in which they differ, in the order of `before`. Empty when they are the same. */
  changes(before: unknown, after: unknown): ChangedField[] {
    const found: ChangedField[] = [];
    this.#compare('', { before, after }, this.#ignored, found);
    return found;
  }

  #compare(
    pointer: string,
    { before, after }: { readonly before: unknown; readonly after: unknown },
    ignored: readonly Ignored[],
    found: ChangedField[],
  ): void {
    if (before === after || found.length === this.#grain.most || ignored.some(({ whole }) => whole)) return;
    if (isNumber(before) && isNumber(after) && this.#areNear(before, after)) return;
    if (!isContainer(before) || !isContainer(after) || Array.isArray(before) !== Array.isArray(after)) {
      found.push({ pointer, ...sides({ before, after }) });
      return;
    }
    const inList = Array.isArray(before);
    if (inList && Array.isArray(after) && this.#grain.isWhole(before, after)) {
      if (!isSame(before, after)) found.push({ pointer, before, after });
      return;
    }
    const keys = keysOf(before, after);
    const isPart = keys.some((key) => pointer.length + key.length > longestPointer);
    const within = isPart ? [] : found;
    for (const key of keys) {
      const step = pointer + pointerStep(key);
      const pair = { before: own(before, key), after: own(after, key) };
      this.#compare(step, pair, ignored.length === 0 ? ignored : below(ignored, key, inList), within);
    }
    if (isPart && within.length > 0) found.push({ pointer, before, after });
  }
}

const isContainer = (value: unknown): value is Container =>
  typeof value === 'object' && value !== null && !(value instanceof LongNumber);

const own = (value: Container, key: string): unknown => (Object.hasOwn(value, key) ? value[key] : undefined);

function keysOf(before: Container, after: Container): string[] {
  const keys = Object.keys(before);
  for (const key of Object.keys(after)) if (!Object.hasOwn(before, key)) keys.push(key);
  return keys;
}

function treeOf(pointers: readonly string[]): Ignored {
  const root: Ignored = { whole: false, steps: new Map() };
  for (const pointer of pointers) {
    let parent = root;
    for (const key of stepsOf(pointer)) {
      let next = parent.steps.get(key);
      if (next === undefined) parent.steps.set(key, (next = { whole: false, steps: new Map() }));
      parent = next;
    }
    parent.whole = true;
  }
  return root;
}

/** What is ignored one step further; in a list both by the index and by `*`. */
function below(ignored: readonly Ignored[], key: string, inList: boolean): Ignored[] {
  const steps = ignored.map(({ steps }) => steps.get(key));
  if (inList) steps.push(...ignored.map(({ steps }) => steps.get('*')));
  return steps.filter((step) => step !== undefined);
}

/** Both without what is not there. */
export const sides = ({ before, after }: Sides): Sides => ({
  ...(before === undefined ? {} : { before }),
  ...(after === undefined ? {} : { after }),
});

const areSame = (one: JsonNumber, other: JsonNumber): boolean =>
  one === other || (one instanceof LongNumber && other instanceof LongNumber && one.equals(other));

/** Whether two JSON values are the same; the order of an object's names does not matter. */
export function isSame(one: unknown, other: unknown): boolean {
  if (one === other || (isNumber(one) && isNumber(other) && areSame(one, other))) return true;
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((item, index) => isSame(item, other[index]));
  }
  if (!isRecord(one) || !isRecord(other)) return false;
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => Object.hasOwn(other, name) && isSame(one[name], other[name]))
  );
}

const haveOtherIds = (before: readonly unknown[], after: readonly unknown[]): boolean =>
  before.length !== after.length ||
  !before.every((item, index) => {
    const id = isRecord(item) ? item['id'] : undefined;
    const other = after[index];
    return typeof id === 'string' && isRecord(other) && other['id'] === id;
  });

const ofModels = new Comparison([], areSame, { most: Infinity, isWhole: haveOtherIds });

/**
 * The smallest parts in which two models' values differ. A list is one part, unless both versions have the same items by id
 * in the same order.
 */
export const changedFields = (before: unknown, after: unknown): ChangedField[] => ofModels.changes(before, after);
