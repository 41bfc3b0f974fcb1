import { isContainer, valueAt } from './json/index.js';

/** Fields of a result that are counted: the JSON Pointers, and what stands at each. */
export interface Measured {
  readonly pointers: readonly string[];
  readonly texts: readonly MeasuredText[];
}

/** The JSON text of a value, `otherValue` of what is not counted by its value, null where there is nothing. */
export type MeasuredText = string | null;

/** Stands for a list, an object or a long text. No value has this as its JSON text. */
export const otherValue = '[';

/** Longer texts are not counted by their value. */
const longestText = 200;

/** Takes fields from a result while it is a value. @param textOf gives the JSON text of a value that is neither list nor object */
export function measuredIn<V>(result: V, pointers: readonly string[], textOf: (value: V) => string): Measured {
  const texts = pointers.map((pointer): MeasuredText => {
    const value = valueAt(result, pointer);
    if (value === undefined) return null;
    if (isContainer(value) || (typeof value === 'string' && value.length > longestText)) return otherValue;
    const text = textOf(value as V);
    return text.length > longestText ? otherValue : text;
  });
  return { pointers, texts };
}
