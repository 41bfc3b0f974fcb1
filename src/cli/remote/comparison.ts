import { InvalidArgumentError, many, parsed, parseEquality, parsePair } from '../params.js';

interface Measure {
  readonly name: string;
  readonly expression: string;
  readonly aggregate: string;
}

const aggregates = ['sum', 'mean', 'count', 'min', 'max', 'share'];

/** How results are compared, by the names of the API. */
export const comparison = {
  ignore: many('--ignore <pointer>', 'what does not count, such as /offers/*/id; repeatable', String),
  tolerance: parsed('--tolerance <number>', 'numbers that differ by no more are the same', parseTolerance),
  measures: many(
    '--measure <aggregate=expression>',
    `a number of all executions, before and after: one of ${aggregates.join(', ')} of a ZEN expression over fact and ` +
      'result; repeatable',
    parseMeasure,
  ),
  outcomes: many(
    '--outcome <name>',
    'hold results against what really happened, as it was told by that name; repeatable',
    String,
  ),
  result: parsed(
    '--result <pointer=value>',
    'the result that is to meet the outcomes, such as /decision=refused, for precision and recall',
    parseEquality,
  ),
};

function parseTolerance(text: string): number {
  if (!/^\d+(\.\d+)?(e-?\d+)?$/i.test(text)) throw new InvalidArgumentError('It must be a number from 0 on.');
  return Number(text);
}

function parseMeasure(text: string): Measure {
  const [aggregate, expression] = parsePair(text);
  if (!aggregates.includes(aggregate)) throw new InvalidArgumentError(`It must begin with ${aggregates.join('=, ')}=.`);
  return { name: text.slice(0, 255), expression, aggregate };
}
