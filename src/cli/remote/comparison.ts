import { InvalidArgumentError, Option, type Command } from 'commander';
import { collect, parsePair } from '../arguments.js';

/** How results are compared, in commands. */
export interface ComparisonOptions {
  readonly ignore?: readonly string[];
  readonly tolerance?: number;
  readonly measure?: readonly Measure[];
  readonly outcome?: readonly string[];
  readonly result?: StatedResult;
}

interface StatedResult {
  readonly pointer: string;
  readonly equals: unknown;
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
    )
    .option(
      '--outcome <name>',
      'hold results against what really happened, as it was told by that name; repeatable',
      collect((text) => text),
    )
    .option(
      '--result <pointer=value>',
      'the result that is to meet the outcomes, such as /decision=refused, for precision and recall',
      parseResult,
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

/** A value is JSON where it parses as such, else a text. */
function parseResult(text: string): StatedResult {
  const [pointer, value] = parsePair(text);
  try {
    return { pointer, equals: JSON.parse(value) as unknown };
  } catch {
    return { pointer, equals: value };
  }
}

/** The same in a request. */
export const comparisonOf = ({ ignore, tolerance, measure, outcome, result }: ComparisonOptions): object => ({
  ...(ignore === undefined ? {} : { ignore }),
  ...(tolerance === undefined ? {} : { tolerance }),
  ...(measure === undefined ? {} : { measures: measure }),
  ...(outcome === undefined ? {} : { outcomes: outcome }),
  ...(result === undefined ? {} : { result }),
});
