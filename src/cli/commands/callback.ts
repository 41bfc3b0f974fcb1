import type { WorkspaceCallback } from '#openapi/types.gen.js';
import { operations } from '#openapi/operations.gen.js';
import { eventKinds } from '../../events/kinds.js';
import { command, show, type CommandGroup } from '../command.js';
import { exitCodes } from '../failures.js';
import { parsed, text, words } from '../params.js';
import { record, type Columns } from '../tableOf.js';

const onlyOnce = 'The secret is shown this once; give it to whoever checks the signatures.';
const fields: Columns<WorkspaceCallback> = { url: 'url', kinds: ({ kinds }) => kinds.join(' ') };

export const callbackCommands: CommandGroup = {
  groups: { callback: 'where a workspace hears of its events: by HTTP, signed per Standard Webhooks' },
  commands: [
    command({
      name: 'callback set',
      about:
        'set the address and which events go there; the first time a signing secret is made, later the secret stays',
      examples: [
        'callback set https://hooks.example/verdict',
        'callback set https://hooks.example/verdict --kinds "change.requested change.applied"',
      ],
      args: { url: text('<url>', 'http(s), without credentials; a private address must be in OUTBOUND_ALLOW') },
      options: {
        kinds: parsed('--kinds <kinds>', `which events, space separated: ${eventKinds.join(' ')}; else all`, words),
      },
      async run({ session, ask }, { url, kinds = [...eventKinds] }) {
        const { body } = await ask(operations.setCallback, { url, kinds });
        if (body.secret !== undefined) session.note(onlyOnce);
        return body;
      },
      text: ({ url, kinds, secret }) =>
        record({ url, kinds: kinds.join(' '), secret: secret ?? 'as before (see: verdict callback rotate)' }),
    }),
    show({
      name: 'callback show',
      about: 'show the address and the events; secrets are shown when they are made, and never again',
      examples: ['callback show'],
      operation: operations.getCallback,
      fields,
    }),
    command({
      name: 'callback rotate',
      about: 'make a new signing secret; for 24 hours events are signed with the one before as well',
      examples: ['callback rotate'],
      async run({ session, ask }) {
        const { body } = await ask(operations.createCallbackSecret, {});
        session.note(onlyOnce);
        return body;
      },
      text: ({ secret, previousExpiresAt }) => record({ secret, 'the one before signs until': previousExpiresAt }),
    }),
    command({
      name: 'callback test',
      about: 'send a signed event of type ping now, and say what came back; exit 1 unless that was 2xx',
      examples: ['callback test'],
      run: async ({ ask }) => (await ask(operations.pingCallback, {})).body,
      text: ({ id, url, delivered, status, error, ms }) =>
        record({ url, 'webhook-id': id, delivered, answer: error ?? `answered ${status ?? ''}`, ms }),
      end: ({ delivered }) => (delivered ? undefined : exitCodes.refused),
    }),
    command({
      name: 'callback remove',
      about: 'send the workspace no more events; those that wait become dead letters',
      examples: ['callback remove'],
      async run({ ask }) {
        await ask(operations.deleteCallback, {});
        return { removed: true };
      },
      text: record,
    }),
  ],
};
