import { readPlain, storedKind, zenText, type ColumnKind } from '../cells/index.js';
import type { Value } from '../engine/values.js';
import { parseClock } from '../engine/zen/dates/parse.js';
import { momentOf, momentOrder } from './moments.js';
import { fieldPath, pathName } from './paths.js';

// Fields of days and times: a witness with such a value is read more easily than one with any text at all.

/** What a field of days or times holds. */
export interface Moments {
  readonly isOne: (value: Value) => boolean;
  /** Some of its kind that nothing compares it with. */
  readonly examples: readonly string[];
}

const momentKinds = ['date', 'dateTime', 'time'] as const;
type MomentKind = (typeof momentKinds)[number];

const momentKindOf = (kind: ColumnKind | 'mixed' | undefined): MomentKind | undefined =>
  momentKinds.find((each) => each === kind);

const formats: ReadonlyMap<unknown, MomentKind> = new Map([
  ['date', 'date'],
  ['date-time', 'dateTime'],
  ['time', 'time'],
]);

/** The kinds that authors have said of columns, by the names of their fields: undefined where two say different ones. */
export function saidKinds(
  columns: readonly Readonly<Record<string, unknown>>[],
): ReadonlyMap<string, ColumnKind | undefined> {
  const kinds = new Map<string, ColumnKind | undefined>();
  for (const column of columns) {
    const kind = storedKind(column)?.kind ?? 'any';
    const path = kind === 'any' ? undefined : fieldPath(String(column['field']));
    if (path === undefined) continue;
    const name = pathName(path);
    kinds.set(name, kinds.has(name) && kinds.get(name) !== kind ? undefined : kind);
  }
  return kinds;
}

/**
 * Undefined where a field is not known to be one of days or times.
 * @param said by its columns
 * @param named what it is compared with
 */
export function momentsFor(
  schema: Readonly<Record<string, unknown>>,
  said: ColumnKind | undefined,
  named: ReadonlySet<Value>,
): Moments | undefined {
  const kind = formats.get(schema['format']) ?? (said === undefined ? kindOfAll(named) : momentKindOf(said));
  if (kind === undefined) return undefined;
  const isTime = kind === 'time';
  const isOne = (value: Value): boolean =>
    typeof value === 'string' && (isTime ? parseClock(value) : momentOf(value)) !== undefined;
  const examples = isTime ? times : daysBeside(named).map((text) => (kind === 'date' ? text : `${text}T12:00:00Z`));
  return { isOne, examples: examples.filter((text) => !named.has(text)) };
}

const times = ['12:00', '20:00', '08:00'];

/** The kind of all texts, where they are of one; undefined where there is anything else, or nothing. */
function kindOfAll(named: ReadonlySet<Value>): MomentKind | undefined {
  const kinds = new Set(
    [...named]
      .filter((value) => value !== null)
      .map((value) => (typeof value === 'string' ? momentKindOf(readPlain(zenText(value))?.kind) : undefined)),
  );
  const [first] = kinds;
  return kinds.size > 1 ? undefined : first;
}

/** A day after all that are named, and one before them. */
function daysBeside(named: ReadonlySet<Value>): string[] {
  const all = [...named].flatMap((value) => momentOf(value) ?? []);
  const [first, last] = [Math.min(...all), Math.max(...all)];
  const days =
    all.length === 0
      ? [momentOrder.between(null, null)]
      : [momentOrder.between(last, null), momentOrder.between(null, first)];
  return days.map((moment = 0) => new Date(moment).toISOString().slice(0, 10));
}
