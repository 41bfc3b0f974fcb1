import type { Erasure } from '#openapi/types.gen.js';
import { operations } from '#openapi/operations.gen.js';
import { command, list, show, type CommandGroup } from '../command.js';
import { UsageError } from '../failures.js';
import { id, many, text, parseId } from '../params.js';
import { byName } from '../remote/called.js';
import type { Columns } from '../tableOf.js';
import { fieldsOf } from '../tableOf.js';

/** A receipt: how much, and when, never of whom. */
const receipt: Columns<Erasure> = {
  erasure: 'id',
  status: 'status',
  requested: ({ requested }) => requested ?? 'all of a reference',
  erased: 'erased',
  by: 'principal',
  'asked for': 'createdAt',
  done: 'completedAt',
};

const named = ['principal'] as const;

export const erasureCommands: CommandGroup = {
  groups: { erasure: 'facts and results of executions, erased for good' },
  commands: [
    command({
      name: 'erasure create',
      about: 'erase for good what was recorded of executions: of all with a reference, or of those that are named',
      examples: ['erasure create --reference customer-4711', 'erasure create --execution 0190… --execution 0190…'],
      options: {
        reference: text('--reference <text>', "the caller's own id of them (Execution-Reference)"),
        executionIds: many('--execution <id>', 'one of them; repeatable', parseId),
      },
      check({ reference, executionIds }) {
        if ((reference === undefined) === (executionIds === undefined))
          throw new UsageError('say either --reference or --execution.');
      },
      run: async ({ ask }, input) => (await ask(operations.createErasure, input)).body,
      text: async (made, call) => (await byName(call, [made], named)).map((each) => fieldsOf(receipt, each)).join(),
    }),
    show({
      name: 'erasure show',
      about: 'show how far an erasure is, and when it was done: a receipt, which never says of whom',
      examples: ['erasure show 0190…', 'erasure show 0190… --json'],
      args: { id: id('<erasure>', 'its id') },
      operation: operations.getErasure,
      fields: receipt,
      named,
    }),
    list({
      name: 'erasure list',
      about: 'list erasures, those that are done too',
      examples: ['erasure list', 'erasure list --csv'],
      operation: operations.listErasures,
      as: 'erasures',
      columns: {
        'asked for': 'createdAt',
        status: 'status',
        erased: 'erased',
        done: 'completedAt',
        by: 'principal',
        id: 'id',
      },
      named,
    }),
  ],
};
