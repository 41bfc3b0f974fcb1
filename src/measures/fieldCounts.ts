import { BoundedCounts } from '../replays/boundedCounts.js';
import { jsonAt, pathOf, type JsonPath } from './jsonAt.js';
import { NumberSketch, type KeptNumbers } from './numberSketch.js';

/** Texts, booleans and nulls of a field that are counted; of longer ones only how many there were. */
const bounds = { texts: 256, length: 8192, longest: 200 };
/**
 * What one field takes in memory at most: its texts with their entries, and the buckets of its numbers, both twice while the
 * earlier ones are written.
 */
export const bytesOfField = 128 * 1024;
/** A text that was cut out of a result longer than this would keep all of it in memory. */
const longResult = 256;

/** As the counts of a field are kept. */
export interface KeptField {
  /** JSON texts. */
  readonly values: readonly (readonly [text: string, count: number])[];
  /** Values beyond those that are counted, lists and objects among them. */
  readonly others: number;
  /** Results without it. */
  readonly absent: number;
  readonly numbers: KeptNumbers;
}

/** The values that results had at one pointer. */
export class FieldCounts {
  readonly #path: JsonPath;
  readonly #values = new BoundedCounts([], bounds);
  readonly #numbers = new NumberSketch();
  #others = 0;
  #absent = 0;

  constructor(pointer: string) {
    this.#path = pathOf(pointer);
  }

  /** @param result of a run that completed: JSON without white space */
  count(result: string): void {
    const text = jsonAt(result, this.#path);
    if (text === undefined) this.#absent++;
    else {
      if (isContainer(text)) this.#others++;
      else if (isNumber(text)) this.#numbers.record(Number(text));
      else this.#values.add(text, 1, result.length > longResult);
    }
  }

  /**
   * Takes back that a result was counted, as far as its value is known here: then it counts as one without the field.
   * @param text of the value, JSON
   */
  forget(text: string): boolean {
    if (isContainer(text)) return false;
    const isKnown = isNumber(text) ? this.#numbers.remove(Number(text)) : this.#values.remove(text);
    if (isKnown) this.#absent++;
    return isKnown;
  }

  /** The same, where the value of the result was not kept. */
  forgetOther(text: string): boolean {
    if (isNumber(text) || this.#others === 0) return false;
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

  get numbers(): NumberSketch {
    return this.#numbers;
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

function isContainer(text: string): boolean {
  const first = text.charCodeAt(0);
  return first === 0x7b || first === 0x5b;
}

function isNumber(text: string): boolean {
  const first = text.charCodeAt(0);
  return first === 0x2d || (first >= 0x30 && first <= 0x39);
}
