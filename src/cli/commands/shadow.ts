import type { Shadow } from '#openapi/types.gen.js';
import { operations } from '#openapi/operations.gen.js';
import { command, list, type Call, type CommandGroup } from '../command.js';
import { count, date, id, preset, required, share, versions } from '../params.js';
import { comparison } from '../remote/comparison.js';
import { decisionId, environmentId } from '../remote/named.js';
import { reportText } from '../replays/reportText.js';
import { fieldsOf, record } from '../tableOf.js';

const one = { id: id('<shadow>', 'its id') };

const shadowText = (shadow: Shadow): string =>
  [
    fieldsOf({ id: 'id', status: 'status', version: 'version', sample: 'sample', expires: 'expiresAt' }, shadow),
    reportText(shadow.report),
  ].join('\n');

export const shadowCommands: CommandGroup = {
  groups: {
    shadow: 'live executions also run on another version, after they were answered, and the results are compared',
  },
  commands: [
    command({
      name: 'shadow start',
      about: 'start a shadow',
      examples: ['shadow start shop/fees.json --environment 0190… --candidate 4 --expires 2026-01-31'],
      args: { decisionId: decisionId('<decision>', 'key or id') },
      options: {
        ...comparison,
        environmentId: required(environmentId('--environment <environment>', 'whose executions; name or id')),
        version: required(count('--candidate <version>', 'what to run them on; 0 is the working copy', versions)),
        expiresAt: required(date('--expires <date>', 'when it ends by itself, at most 30 days from now')),
        sample: preset(share('--sample <share>', 'the share of the executions, above 0, at most 1'), 1),
      },
      run: async ({ ask }, { expiresAt, ...input }) =>
        (await ask(operations.createShadow, { ...input, expiresAt })).body,
      text: shadowText,
    }),
    list({
      name: 'shadow list',
      about: 'list shadows',
      examples: ['shadow list'],
      operation: operations.listShadows,
      as: 'shadows',
      columns: {
        created: 'createdAt',
        status: 'status',
        version: 'version',
        sample: 'sample',
        expires: 'expiresAt',
        replayed: ({ report }) => report.replayed,
        changed: ({ report }) => report.changed,
        decision: 'decisionId',
        id: 'id',
      },
    }),
    command({
      name: 'shadow show',
      about: 'show a shadow with its report, a few seconds behind',
      examples: ['shadow show 0190…'],
      args: one,
      run: async ({ ask }: Call, input) => (await ask(operations.getShadow, input)).body,
      text: shadowText,
    }),
    command({
      name: 'shadow end',
      about: 'end a shadow that runs, and keep its report; remove one that has ended',
      examples: ['shadow end 0190…'],
      args: one,
      async run({ ask }, { id }) {
        await ask(operations.deleteShadow, { id });
        return { id };
      },
      text: record,
    }),
  ],
};
