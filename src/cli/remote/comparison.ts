import { InvalidArgumentError, Option, type Command } from 'commander';
import { collect, parsePair } from '../arguments.js';

/** How results are compared, in commands. */
export interface ComparisonOptions {
  readonly ignore?: readonly string[];
  readonly tolerance?: number;
  readonly measure?: readonly Measure[];
}

interface Measure {
  readonly name: string;
  readonly expression: string;
  readonly aggregate: string;
}

const aggregates = ['sum', 'mean', 'count', 'min', 'max', 'share'];

export const withComparison = (command: Command): Command =>
  command
    .option(
      '--ignore <pointer>',
      'what does not count, such as /offers/*/id; repeatable',
      collect((text) => text),
    )
    .option('--tolerance <number>', 'numbers that differ by no more are the same', parseTolerance)
    .addOption(
      new Option(
        '--measure <aggregate=expression>',
        `a number of all executions, before and after: one of ${aggregates.join(', ')} of a ZEN expression over fact and ` +
          'result; repeatable',
      ).argParser(collect(parseMeasure)),
    );

function parseTolerance(text: string): number {
  if (!/^\d+(\.\d+)?(e-?\d+)?$/i.test(text)) throw new InvalidArgumentError('It must be a number from 0 on.');
  return Number(text);
}

function parseMeasure(text: string): Measure {
  const [aggregate, expression] = parsePair(text);
  if (!aggregates.includes(aggregate)) throw new InvalidArgumentError(`It must begin with ${aggregates.join('=, ')}=.`);
  return { name: text.slice(0, 255), expression, aggregate };
}

/** The same in a request. */
export const comparisonOf = ({ ignore, tolerance, measure }: ComparisonOptions): object => ({
  ...(ignore === undefined ? {} : { ignore }),
  ...(tolerance === undefined ? {} : { tolerance }),
  ...(measure === undefined ? {} : { measures: measure }),
});
