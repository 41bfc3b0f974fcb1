import { InvalidArgumentError } from 'commander';
import { outcomes, type Report } from './report.js';

/** A bound that a report must keep, such as `changed > 0.5%`, which it breaks where that is so. */
export interface Gate {
  readonly text: string;
  readonly isBroken: (report: Report) => boolean;
}

const counted = [...outcomes, 'replayed', 'skipped'] as const;

const comparisons: Readonly<Record<string, (a: number, b: number) => boolean>> = {
  '>': (a, b) => a > b,
  '>=': (a, b) => a >= b,
  '<': (a, b) => a < b,
  '<=': (a, b) => a <= b,
};

/**
 * Reads a bound: a count of the report, `>` `>=` `<` or `<=`, and a number, with `%` of all that were replayed (of `skipped`
 * and `replayed` themselves: of all executions). Of none, every share is 0.
 * @throws InvalidArgumentError
 */
export function parseGate(text: string): Gate {
  const [, name = '', sign = '', number = '', isShare] =
    /^\s*(\w+)\s*(>=?|<=?)\s*(\d+(?:\.\d+)?)\s*(%)?\s*$/.exec(text) ?? [];
  const count = counted.find((known) => known === name);
  const compare = comparisons[sign];
  if (count === undefined || compare === undefined) {
    throw new InvalidArgumentError(
      `It must be a bound such as 'changed > 0.5%' or 'newlyFailed > 0', of one of: ${counted.join(', ')}.`,
    );
  }
  const isBroken = (report: Report): boolean => {
    const value = count === 'skipped' ? sum(report.skipped) : report[count];
    if (isShare === undefined) return compare(value, Number(number));
    const isOfAll = count === 'skipped' || count === 'replayed';
    const all = report.replayed + (isOfAll ? sum(report.skipped) : 0);
    return compare(all === 0 ? 0 : (100 * value) / all, Number(number));
  };
  return { text: text.trim(), isBroken };
}

const sum = (counts: Readonly<Record<string, number>>): number =>
  Object.values(counts).reduce((total, count) => total + count, 0);
