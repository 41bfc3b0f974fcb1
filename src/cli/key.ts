import type { Command } from 'commander';
import { keyPublishDelayS, rotateKey } from '../oauth/rotate.js';
import { examples } from './arguments.js';
import type { Session } from './session.js';
import { record } from './table.js';

/** `verdict key …` */
export function registerKey(program: Command, session: Session): void {
  const key = program.command('key').description('the keys that sign access tokens');
  key
    .command('rotate')
    .description(
      `make a new signing key: published at once, signing after ${keyPublishDelayS} seconds; the keys before it stay ` +
        'published until the last token that they signed has expired (TOKEN_LIFETIME_S), so that no token is refused',
    )
    .addHelpText('after', examples('key rotate'))
    .action(async () => {
      const { tokenLifetimeS } = session.config();
      const { kid, signsAt, previousExpireAt } = await rotateKey({ ...session.stores(), tokenLifetimeS });
      session.print({ kid, signsAt: signsAt.toISOString(), previousExpireAt: previousExpireAt.toISOString() }, () =>
        record({ kid, 'signs from': signsAt, 'the keys before are withdrawn at': previousExpireAt }),
      );
    });
}
