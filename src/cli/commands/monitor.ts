import type { Monitor } from '#openapi/types.gen.js';
import { operations } from '#openapi/operations.gen.js';
import { command, list, show, type CommandGroup } from '../command.js';
import { InvalidArgumentError, choice, id, parsed, parseEquality, required, text } from '../params.js';
import { decisionId, environmentId } from '../remote/named.js';
import { record, type Columns } from '../tableOf.js';

const one = { id: id('<monitor>', 'its id') };

const columns: Columns<Monitor> = {
  name: 'name',
  state: 'state',
  value: 'value',
  measure: ({ measure }) => measureText(measure),
  window: 'window',
  condition: 'condition',
};
const fields: Columns<Monitor> = {
  ...columns,
  decision: 'decisionId',
  environment: 'environmentId',
  id: 'id',
  changed: 'changedAt',
};

export const monitorCommands: CommandGroup = {
  groups: { monitor: 'what tells a workspace that a decision answers otherwise than it did' },
  commands: [
    show({
      name: 'monitor create',
      about: 'watch a decision in an environment; events go to the callback when it trips, and when it is clear again',
      examples: [
        'monitor create shop/fees.json --environment Production --name Failures --measure failed --condition "> 0.01"',
        'monitor create loan.json --environment Production --name Refusals --measure /decision=refused --condition "drift > 0.2"',
      ],
      args: { decisionId: decisionId('<decision>', 'key or id') },
      options: {
        environmentId: required(environmentId('--environment <environment>', 'whose executions; name or id')),
        name: required(text('--name <name>', 'what people call it; 1 to 255 characters')),
        measure: required(
          parsed(
            '--measure <measure>',
            'failed: the share that failed; p99: milliseconds in the engine; /field=value: the share of results with that value; ' +
              '/field: all its values, for drift. Fields are measured that "decision measure" names',
            parseMeasure,
          ),
        ),
        window: { ...choice('--window <window>', 'over which time', ['1h', '24h']), fallback: '1h' },
        condition: required(text('--condition <condition>', '> 0.2, also with >=, < and <=; or drift > 0.2')),
      },
      operation: operations.createMonitor,
      fields,
    }),
    list({
      name: 'monitor list',
      about: "list the workspace's monitors",
      examples: ['monitor list'],
      operation: operations.listMonitors,
      as: 'monitors',
      columns: { ...columns, id: 'id' },
    }),
    show({
      name: 'monitor show',
      about: 'show a monitor',
      examples: ['monitor show 0190…'],
      args: one,
      operation: operations.getMonitor,
      fields,
    }),
    command({
      name: 'monitor delete',
      about: 'delete a monitor',
      examples: ['monitor delete 0190…'],
      args: one,
      async run({ ask }, { id }) {
        await ask(operations.deleteMonitor, { id });
        return { id, removed: true };
      },
      text: record,
    }),
  ],
};

function parseMeasure(text: string): string | { readonly pointer: string; readonly equals?: unknown } {
  if (text === 'failed' || text === 'p99') return text;
  if (!text.startsWith('/')) throw new InvalidArgumentError('It must be failed, p99, /field or /field=value.');
  return text.includes('=') ? parseEquality(text) : { pointer: text };
}

function measureText(measure: Monitor['measure']): string {
  if (typeof measure === 'string') return measure;
  return measure.equals === undefined ? measure.pointer : `${measure.pointer}=${String(measure.equals)}`;
}
