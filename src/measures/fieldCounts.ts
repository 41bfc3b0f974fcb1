import { formatJson, parseExactly } from '../../workers/json/index.js';
import { measuredIn, otherValue, type Measured, type MeasuredText } from '../../workers/models/index.js';
import { QuantileSketch, type KeptSketch } from '../../workers/sketch/index.js';
import { BoundedCounts } from '../replays/boundedCounts.js';

/** Bounds of the texts, booleans and nulls that are counted one by one. Longer ones are counted together. */
const bounds = { texts: 256, length: 8192, longest: 200 };
/**
 * What one field takes in memory at most: its texts with their entries, and the buckets of its numbers, both twice while the
 * earlier ones are written.
 */
export const bytesOfField = 128 * 1024;
/** As the counts of a field are kept. */
export interface KeptField {
  /** JSON texts. */
  readonly values: readonly (readonly [text: string, count: number])[];
  /** Values beyond those that are counted, lists and objects among them. */
  readonly others: number;
  /** Results without it. */
  readonly absent: number;
  readonly numbers: KeptSketch;
}

/** The values that results had at one pointer. */
export class FieldCounts {
  readonly #values = new BoundedCounts([], bounds);
  readonly #numbers = new QuantileSketch();
  #others = 0;
  #absent = 0;

  /** @param kept what it begins with */
  constructor(kept?: KeptField) {
    if (kept !== undefined) this.merge(kept);
  }

  /** @param text of a result of a run that completed */
  count(text: MeasuredText): void {
    if (text === null) this.#absent++;
    else if (text === otherValue) this.#others++;
    else if (isNumber(text)) this.#numbers.record(Number(text));
    else this.#values.add(text, 1);
  }

  /** Takes a counted result back, if its value is kept here: it counts as a result without the field from then on. True if it did. */
  forget(text: MeasuredText): boolean {
    if (text === null || text === otherValue) return false;
    const isKnown = isNumber(text) ? this.#numbers.remove(Number(text)) : this.#values.remove(text);
    if (isKnown) this.#absent++;
    return isKnown;
  }

  /** The same for a result whose value was not kept. */
  forgetOther(text: MeasuredText): boolean {
    if (text === null || isNumber(text) || this.#others === 0) return false;
    this.#others--;
    this.#absent++;
    return true;
  }

  merge({ values, others, absent, numbers }: KeptField): void {
    for (const [text, count] of values) this.#values.add(text, count);
    this.#others += others;
    this.#absent += absent;
    this.#numbers.merge(numbers);
  }

  get numbers(): QuantileSketch {
    return this.#numbers;
  }

  /** Results that were counted, with the field or without it. */
  get total(): number {
    const { values, others, absent } = this.toJSON();
    return values.reduce((sum, [, count]) => sum + count, others + absent + this.#numbers.count);
  }

  toJSON(): KeptField {
    return {
      values: this.#values.entries(),
      others: this.#others + this.#values.forgotten,
      absent: this.#absent,
      numbers: this.#numbers.toJSON(),
    };
  }
}

function isNumber(text: string): boolean {
  const first = text.charCodeAt(0);
  return first === 0x2d || (first >= 0x30 && first <= 0x39);
}

/** The fields of a result that is a JSON text, where no thread took them. */
export const fieldsOfText = (result: string, pointers: readonly string[]): Measured =>
  measuredIn(parseExactly(result), pointers, formatJson);

/** The counts of fields as a row keeps them, by pointer. */
export const fieldsOf = (text: string | null): Map<string, FieldCounts> => {
  const kept = Object.entries(JSON.parse(text ?? '{}') as Record<string, KeptField>);
  return new Map(kept.map(([pointer, one]) => [pointer, new FieldCounts(one)]));
};
