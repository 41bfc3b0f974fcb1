import type { Command } from 'commander';
import { pingCallback, removeCallback, rotateCallbackSecret, setCallback, showCallback } from '../outbox/callbacks.js';
import { postSettings } from '../outbox/transports.js';
import { examples, requiredId } from './arguments.js';
import { exitCodes } from './exitCodes.js';
import type { Session } from './session.js';
import { record } from './table.js';

const onlyOnce = 'The secret is shown this once; give it to whoever checks the signatures.';

/** `verdict tenant callback …` */
export function registerCallback(tenant: Command, session: Session): void {
  const callback = tenant
    .command('callback')
    .description('where a tenant hears of its inquiries: events by HTTP, signed per Standard Webhooks');
  callback
    .command('set')
    .description('set the address; the first time a signing secret is made, later the secret stays')
    .addOption(requiredId('tenant', 'the tenant'))
    .requiredOption('--url <url>', 'http(s), without credentials; a private address must be in OUTBOUND_ALLOW')
    .addHelpText('after', examples('tenant callback set --tenant 0190… --url https://shelter.example/verdict-events'))
    .action(async ({ tenant: tenantId, url }: { tenant: string; url: string }) => {
      const { secret } = await setCallback(session.stores(), { tenantId, url }, session.config().outboundAllow);
      if (secret !== null) session.note(onlyOnce);
      session.print({ tenantId, url, secret }, () =>
        record({ tenant: tenantId, url, secret: secret ?? 'as before (see: verdict tenant callback rotate)' }),
      );
    });
  callback
    .command('rotate')
    .description('make a new signing secret; for 24 hours events are signed with the one before as well')
    .addOption(requiredId('tenant', 'the tenant'))
    .addHelpText('after', examples('tenant callback rotate --tenant 0190…'))
    .action(async ({ tenant: tenantId }: { tenant: string }) => {
      const { secret, previousExpiresAt } = await rotateCallbackSecret(session.stores(), tenantId);
      session.note(onlyOnce);
      session.print({ tenantId, secret, previousExpiresAt }, () =>
        record({ tenant: tenantId, secret, 'the one before signs until': previousExpiresAt }),
      );
    });
  registerShow(callback, session);
  registerTest(callback, session);
}

function registerShow(callback: Command, session: Session): void {
  callback
    .command('show')
    .description('show the address; secrets are shown when they are made, and never again')
    .addOption(requiredId('tenant', 'the tenant'))
    .addHelpText('after', examples('tenant callback show --tenant 0190…'))
    .action(async ({ tenant: tenantId }: { tenant: string }) => {
      const shown = await showCallback(session.stores(), tenantId);
      session.print({ tenantId, ...shown }, () =>
        record({
          tenant: tenantId,
          url: shown.url,
          'the secret before signs until': shown.previousExpiresAt,
          created: shown.createdAt,
          updated: shown.updatedAt,
        }),
      );
    });
  callback
    .command('remove')
    .description('send the tenant no more events; those that wait become dead letters')
    .addOption(requiredId('tenant', 'the tenant'))
    .addHelpText('after', examples('tenant callback remove --tenant 0190…'))
    .action(async ({ tenant: tenantId }: { tenant: string }) => {
      await removeCallback(session.stores(), tenantId);
      session.print({ tenantId, removed: true }, () => record({ tenant: tenantId, removed: true }));
    });
}

function registerTest(callback: Command, session: Session): void {
  callback
    .command('test')
    .description('send a signed event of type ping now, and say what came back; exit 1 unless that was 2xx')
    .addOption(requiredId('tenant', 'the tenant'))
    .addHelpText('after', examples('tenant callback test --tenant 0190…'))
    .action(async ({ tenant: tenantId }: { tenant: string }) => {
      const { id, url, attempt, ms } = await pingCallback(session.stores(), tenantId, postSettings(session.config()));
      const taken = attempt.kind === 'delivered';
      const answer = 'error' in attempt ? attempt.error : 'status' in attempt ? `answered ${attempt.status}` : '';
      session.print({ tenantId, url, id, delivered: taken, answer, ms }, () =>
        record({ tenant: tenantId, url, 'webhook-id': id, delivered: taken, answer, ms }),
      );
      if (!taken) session.endWith(exitCodes.refused);
    });
}
