import type { Command } from 'commander';
import { rotateCallbackSecret, setCallback } from '../outbox/callbacks.js';
import { examples, requiredId } from './arguments.js';
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
      const { secret } = await setCallback(session.stores(), { tenantId, url });
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
}
