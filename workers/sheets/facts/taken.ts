import { clockPattern } from '../../cells/index.js';
import { isRecord } from '../../json/index.js';
import type { Step } from './paths.js';

/** What a decision takes at a place of its fact. */
export type Taken = 'number' | 'boolean' | 'date' | 'time' | 'text';

/**
 * What a JSON Schema says of a place; undefined where it says nothing, or more than one thing. Null may always stand there.
 * @param isMeant a text that tables compare as a time is one, for a person
 */
export function takenAt(schema: unknown, steps: readonly Step[], isMeant = false): Taken | undefined {
  const { type, format, pattern } = steps.reduce<Record<string, unknown>>(stepInto, recordOf(schema));
  const [only, ...others] = [type].flat().filter((each) => each !== 'null');
  if (others.length > 0) return undefined;
  if (only === 'string' && pattern === clockPattern && isMeant) return 'time';
  if (only === 'string')
    return format === undefined ? 'text' : format === 'date' || format === 'time' ? format : undefined;
  return only === 'number' || only === 'integer' ? 'number' : only === 'boolean' ? 'boolean' : undefined;
}

/** The columns of a sheet in which the decision takes that. */
export const columnsTaking = (
  taken: Taken,
  columns: readonly { readonly at: number; readonly steps: readonly Step[] }[],
  schema: unknown,
  isMeant = false,
): ReadonlySet<number> =>
  new Set(columns.flatMap(({ at, steps }) => (takenAt(schema, steps, isMeant) === taken ? [at] : [])));

function stepInto({ items, properties }: Record<string, unknown>, step: Step): Record<string, unknown> {
  if (typeof step === 'number') return recordOf(items);
  // Names are a stranger's, `constructor` among them.
  return isRecord(properties) && Object.hasOwn(properties, step) ? recordOf(properties[step]) : {};
}

const recordOf = (value: unknown): Record<string, unknown> => (isRecord(value) ? value : {});
