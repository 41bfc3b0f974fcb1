import { valueAt } from '../../workers/json/index.js';
import { shortenedInTransition } from '../../workers/models/index.js';

/** The results of executions that are erased, of one decision in one environment. */
export class ErasedResults {
  readonly #results: readonly unknown[];
  /** How many results have each value, by JSON Pointer. */
  readonly #counts = new Map<string, Map<string, number>>();

  /** @param results as they were recorded: JSON, parsed; undefined of an execution that failed */
  constructor(results: readonly unknown[]) {
    this.#results = results;
  }

  get size(): number {
    return this.#results.length;
  }

  /**
   * How many of them may have been counted in a row of a report: those that have the row's earlier value at its pointer. The later value
   * is not compared, since the version that made it is not run again.
   * @param statedPointer the pointer of rows that name none
   */
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
