import { Option, type Command } from 'commander';
import {
  countMessages,
  dropMessages,
  listMessages,
  replayMessages,
  states,
  type Selection,
  type State,
} from '../outbox/admin.js';
import { findTenantOf } from '../inquiries/admin.store.js';
import { examples, parseId, sizeOption } from './arguments.js';
import { Refusal, UsageError } from './failures.js';
import type { Session } from './session.js';
import { table } from './table.js';

/** `verdict outbox …` */
export function registerOutbox(program: Command, session: Session): void {
  const outbox = program
    .command('outbox')
    .description('texts, mails and events that are to be sent; those given up are dead letters');
  registerList(outbox, session);
  choosing(outbox.command('retry'))
    .description('send dead letters again, and what waits for its next attempt at once, under their own ids')
    .addHelpText('after', examples('outbox retry 0190…', 'outbox retry --all --tenant 0190…'))
    .action(async (ids: readonly string[], options: Choice) => {
      const selection = selectionOf(ids, options);
      const chosen = ids.length > 0 ? { ...selection, retryable: true } : { ...selection, state: 'dead' as const };
      await requireAll(session, chosen, 'is neither a dead letter nor waiting for its next attempt');
      const progress = session.progress('queueing', await countMessages(session.database(), chosen));
      const retried = await replayMessages(session.stores(), chosen, (rows) => progress.advance(rows)).finally(() =>
        progress.end(),
      );
      session.print({ retried }, () => `${retried} queued again`);
    });
  choosing(outbox.command('drop'))
    .description('delete dead letters, or any messages by their ids, for good')
    .addHelpText('after', examples('outbox drop 0190…', 'outbox drop --all --tenant 0190…'))
    .action(async (ids: readonly string[], options: Choice) => {
      const selection = selectionOf(ids, options);
      const chosen = ids.length > 0 ? { ...selection, droppable: true } : { ...selection, state: 'dead' as const };
      await requireAll(session, chosen, 'is not there, or was sent');
      const progress = session.progress('deleting', await countMessages(session.database(), chosen));
      const dropped = await dropMessages(session.stores(), chosen, (rows) => progress.advance(rows)).finally(() =>
        progress.end(),
      );
      session.print({ dropped }, () => `${dropped} deleted`);
    });
}

interface Choice {
  readonly all?: boolean;
  readonly tenant?: string;
}

const choosing = (command: Command): Command =>
  command
    .argument('[message...]', 'their ids', (text: string, before: readonly string[] | undefined) => [
      ...(before ?? []),
      parseId(text),
    ])
    .option('--all', 'all dead letters')
    .option('--tenant <id>', "this tenant's alone", parseId);

function selectionOf(ids: readonly string[] | undefined, { all = false, tenant }: Choice): Selection {
  const named = ids !== undefined && ids.length > 0;
  if (named === all) throw new UsageError('give either ids of messages or --all.');
  return { tenantId: tenant, ids: named ? [...new Set(ids)] : undefined };
}

/** All or nothing: one wrong id suggests that the others may be wrong too. */
async function requireAll(session: Session, selection: Selection, what: string): Promise<void> {
  const { ids } = selection;
  if (ids === undefined) return;
  const found = await listMessages(session.database(), selection, { size: ids.length, olderThan: undefined });
  const missing = ids.filter((id) => !found.some((message) => message.id === id));
  if (missing.length > 0) throw new Refusal(missing.map((id) => `${id} ${what}.`).join('\n'));
}

interface ListOptions {
  readonly tenant?: string;
  readonly inquiry?: string;
  readonly state?: State;
  readonly size: number;
  readonly olderThan?: string;
}

function registerList(outbox: Command, session: Session): void {
  outbox
    .command('list')
    .description(
      'list messages, newest first; what needs no sending any more is kept for 7 days, and as long as its inquiry names it',
    )
    .option('--tenant <id>', "this tenant's alone", parseId)
    .option('--inquiry <id>', 'of this inquiry alone', parseId)
    .addOption(new Option('--state <state>', 'those in this state alone').choices(states))
    .addOption(sizeOption())
    .option('--older-than <id>', 'continue after this message', parseId)
    .addHelpText('after', examples('outbox list --state dead', 'outbox list --inquiry 0190… --json'))
    .action(async ({ tenant, inquiry, state, size, olderThan }: ListOptions) => {
      const database = session.database();
      // The index of an inquiry's messages begins with the tenant.
      const tenantId = tenant ?? (inquiry && (await findTenantOf(database, inquiry)));
      const selection = { tenantId, inquiryId: inquiry, state };
      const messages = await listMessages(database, selection, { size, olderThan });
      session.print({ messages }, () =>
        table(
          ['created', 'state', 'channel', 'attempts', 'due', 'error', 'inquiry', 'id'],
          messages.map((each) => [
            each.createdAt,
            each.state,
            each.channel,
            each.attempts,
            each.dueAt,
            each.error,
            each.inquiryId,
            each.id,
          ]),
        ),
      );
    });
}
