import { operations } from '#openapi/operations.gen.js';
import { command, type Command } from '../command.js';
import { choice, date, many } from '../params.js';
import { decisionId, environmentId } from '../remote/named.js';
import { tableOf } from '../tableOf.js';

const fieldsText = (pointers: readonly string[]): string =>
  pointers.length === 0 ? 'none of its fields is counted' : `counted: ${pointers.join(' ')}`;

/** What is counted of a decision's executions, and what was. */
export const measuredCommands: readonly Command[] = [
  command({
    name: 'decision measured set',
    about:
      "say which fields of a decision's results are counted from now on, in place of those before; without fields none is: " +
      'they may be about people',
    examples: ['decision measured set loan.json /decision /rate', 'decision measured set loan.json'],
    args: {
      id: decisionId('<decision>', 'key or id'),
      pointers: many('[field...]', 'JSON Pointers into results, such as /decision; at most 5', String),
    },
    run: async ({ ask }, { id, pointers = [] }) => (await ask(operations.setMeasured, { id, pointers })).body,
    text: ({ pointers }) => fieldsText(pointers),
  }),
  command({
    name: 'decision measured show',
    about: 'show how many executions there were by version and hour or day, and how long they took in the engine',
    examples: ['decision measured show loan.json', 'decision measured show loan.json --from 2026-01-01 --step day'],
    args: { decisionId: decisionId('<decision>', 'key or id') },
    options: {
      environmentId: environmentId('--environment <environment>', 'executions there alone; name or id'),
      from: date('--from <date>', 'from the hour or day of then on; else one day'),
      to: date('--to <date>', 'before the hour or day of then; else until now'),
      step: choice('--step <step>', 'else hour; days are those of UTC', ['hour', 'day']),
    },
    run: async ({ ask }, input) => (await ask(operations.getMeasures, input)).body,
    text: ({ measured, data }) =>
      [
        tableOf(
          {
            at: 'at',
            version: 'version',
            executions: 'count',
            failed: 'failed',
            warnings: 'warnings',
            'p50 ms': ({ engine }) => engine.p50,
            'p99 ms': ({ engine }) => engine.p99,
          },
          data,
        ),
        fieldsText(measured),
      ].join('\n'),
  }),
];
