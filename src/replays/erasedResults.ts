import { valueAt } from '../../workers/json/index.js';
import { shortenedInTransition } from '../../workers/models/index.js';

export class ErasedResults {
  readonly #results: readonly unknown[];
  readonly #counts = new Map<string, Map<string, number>>();

  /** @param results as they were recorded: JSON, parsed; undefined of an execution that failed */
  constructor(results: readonly unknown[]) {
    this.#results = results;
  }

  get size(): number {
    return this.#results.length;
  }

  /** How many of them a row may have counted: by its earlier value, as its later version is not run again. */
  countOf(row: string, statedPointer: string): number {
    const { pointer = statedPointer, before } = JSON.parse(row) as {
      readonly pointer?: string;
      readonly before?: unknown;
    };
    let counts = this.#counts.get(pointer);
    if (counts === undefined) {
      this.#counts.set(pointer, (counts = new Map<string, number>()));
      for (const result of this.#results) {
        const text = textOf(result === undefined ? undefined : valueAt(result, pointer));
        counts.set(text, (counts.get(text) ?? 0) + 1);
      }
    }
    return counts.get(before === undefined ? absent : JSON.stringify(before)) ?? 0;
  }
}

const absent = '';

const textOf = (value: unknown): string =>
  value === undefined ? absent : shortenedInTransition(JSON.stringify(value));
