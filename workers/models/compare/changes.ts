import { LongNumber, pointerStep, stepsOf } from '../../json/index.js';
import { isNumber, type JsonNumber } from './numbers.js';

/** A pointer at which two results (parsed JSON) differ; `before` or `after` is absent where there is nothing. */
export interface ResultChange {
  /** JSON Pointer (RFC 6901). */
  readonly pointer: string;
  readonly before?: unknown;
  readonly after?: unknown;
}

/** Changes of one result that are looked for at most. */
export const maxChanges = 1000;

/** What is ignored below a pointer, by its next step. */
interface Ignored {
  whole: boolean;
  readonly steps: Map<string, Ignored>;
}

type Container = Readonly<Record<string, unknown>>;

/** Finds the smallest parts in which two results differ: objects by name, lists by index. */
export class Comparison {
  readonly #areNear: (one: JsonNumber, other: JsonNumber) => boolean;
  readonly #ignored: readonly Ignored[];

  /** @param ignore pointers of what does not count @param areNear whether two numbers count as the same */
  constructor(ignore: readonly string[], areNear: (one: JsonNumber, other: JsonNumber) => boolean) {
    this.#areNear = areNear;
    this.#ignored = ignore.length === 0 ? [] : [treeOf(ignore)];
  }

  /** The first parts in which they differ, in the order of `before`. Empty when they are the same. */
  changes(before: unknown, after: unknown): ResultChange[] {
    const found: ResultChange[] = [];
    this.#compare('', { before, after }, this.#ignored, found);
    return found;
  }

  #compare(
    pointer: string,
    { before, after }: { readonly before: unknown; readonly after: unknown },
    ignored: readonly Ignored[],
    found: ResultChange[],
  ): void {
    if (before === after || found.length === maxChanges || ignored.some(({ whole }) => whole)) return;
    if (isNumber(before) && isNumber(after) && this.#areNear(before, after)) return;
    if (!isContainer(before) || !isContainer(after) || Array.isArray(before) !== Array.isArray(after)) {
      found.push({ pointer, ...(before === undefined ? {} : { before }), ...(after === undefined ? {} : { after }) });
      return;
    }
    const inList = Array.isArray(before);
    for (const key of keysOf(before, after)) {
      const step = pointer + pointerStep(key);
      const pair = { before: own(before, key), after: own(after, key) };
      this.#compare(step, pair, ignored.length === 0 ? ignored : below(ignored, key, inList), found);
    }
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
