import { judge } from './judge.js';
import type { Expected } from './outcome.js';
import type { GraphFile, RowFile, Suite } from './suite.js';
import { graphWays, resolverOf, standardWays, unaryWays, type Clock, type Resolve, type Way } from './ways.js';

/** A vector that was not met. */
export interface Failure {
  /** `standard.csv:12`, `graphs/fees.json, test 2` */
  readonly place: string;
  /** The expression, or the graph's input. */
  readonly source: string;
  readonly expected: string;
  readonly got: string;
}

/** How one file fared. */
export interface Report {
  readonly name: string;
  readonly count: number;
  /** Met now. */
  readonly passed: number;
  /** Met at the moment when they were made. */
  readonly metThen: readonly Failure[];
  /** Not met, of rows in which the reference differs from its own specification, or whose intent is open. */
  readonly open: readonly Failure[];
  /** Not met, but only where the result follows the clock. */
  readonly moving: readonly Failure[];
  readonly failures: readonly Failure[];
}

/** Checks every file of a suite, one after the other; `advance` is called after each vector. */
export async function* checkSuite(suite: Suite, now: Clock, advance: () => void): AsyncGenerator<Report> {
  for (const file of suite.rowFiles) yield await checkRows(file, now, advance);
  const resolve = resolverOf(suite.graphs);
  for (const file of suite.graphs) yield await checkGraph(file, { resolve, now, advance });
}

/** The moment at which the specification's rows are computed. */
const specifiedAt = Date.parse('2025-03-20T10:15:30Z');

async function checkRows(file: RowFile, now: Clock, advance: () => void): Promise<Report> {
  const tally = new Tally(file.name);
  const clock = file.specified ? () => specifiedAt : now;
  for (const { place, reason } of file.broken) tally.fail({ place, source: '', expected: 'a row', got: reason });
  for (const row of file.rows) {
    const ways = file.unary ? unaryWays(row) : standardWays(row);
    await tally.take({ place: row.place, source: row.expression, output: row.output, ways, note: row.note }, clock);
    advance();
  }
  return tally.report();
}

interface CheckOptions {
  readonly resolve: Resolve;
  readonly now: Clock;
  readonly advance: () => void;
}

async function checkGraph(file: GraphFile, { resolve, now, advance }: CheckOptions): Promise<Report> {
  const tally = new Tally(file.name);
  for (const [index, { input, output }] of file.tests.entries()) {
    const place = `${file.name}, test ${index + 1}`;
    const ways = graphWays(file.key, input, resolve);
    await tally.take({ place, source: JSON.stringify(input), output, ways }, now);
    advance();
  }
  return tally.report();
}

interface Vector {
  readonly place: string;
  readonly source: string;
  readonly output: Expected;
  readonly ways: readonly Way[];
  readonly note?: string;
}

/** Counts the vectors of one file. */
class Tally {
  readonly #name: string;
  #passed = 0;
  readonly #failures: Failure[] = [];
  readonly #metThen: Failure[] = [];
  readonly #moving: Failure[] = [];
  readonly #open: Failure[] = [];

  constructor(name: string) {
    this.#name = name;
  }

  fail(failure: Failure): void {
    this.#failures.push(failure);
  }

  async take({ place, source, output, ways, note }: Vector, now: Clock): Promise<void> {
    const judgement = await judge(ways, output, now);
    if (judgement === undefined) {
      this.#passed++;
      return;
    }
    const { dated, expected, got } = judgement;
    const list = { met: this.#metThen, moving: this.#moving, no: note ? this.#open : this.#failures }[dated ?? 'no'];
    list.push({ place, source, expected, got });
  }

  report(): Report {
    const [name, passed] = [this.#name, this.#passed];
    const lists = { metThen: this.#metThen, open: this.#open, moving: this.#moving, failures: this.#failures };
    const count = Object.values(lists).reduce((sum, list) => sum + list.length, passed);
    return { name, count, passed, ...lists };
  }
}
