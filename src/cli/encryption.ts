import type { Command } from 'commander';
import { estimateSealedRows, UnknownKey, rotateEncryption, type EncryptionRotation } from '../encryption/rotate.js';
import { examples } from './arguments.js';
import { exitCodes } from './exitCodes.js';
import { Refusal } from './failures.js';
import type { Session } from './session.js';
import { record } from './table.js';

/** `verdict encryption …` */
export function registerEncryption(program: Command, session: Session): void {
  const encryption = program.command('encryption').description('the key that encrypts what is stored');
  encryption
    .command('rotate')
    .description(
      'encrypt everything anew with ENCRYPTION_KEY, where one of ENCRYPTION_KEYS_PREVIOUS did it before; servers go on ' +
        'meanwhile, and an interrupted command is simply repeated',
    )
    .option('--force', 'also where a running server does not know ENCRYPTION_KEY: it fails from then on')
    .addHelpText('after', examples('encryption rotate'))
    .action(async ({ force = false }: { readonly force?: boolean }) => {
      const stores = session.stores();
      const progress = session.progress('encrypting', await estimateSealedRows(stores.database));
      const rotation = await rotateEncryption({
        ...stores,
        force,
        onRows: (rows) => progress.advance(rows),
        onWait: (processes) =>
          session.note(
            `Waiting for ${serversOf(processes)} with another ENCRYPTION_KEY to end, or to be found ended …`,
          ),
      })
        .catch(refuse)
        .finally(() => progress.end());
      const finished = rotation.otherSealers === 0 && rotation.unreadable === 0;
      session.print({ ...rotation, finished }, () => describe(rotation));
      if (!finished) session.endWith(exitCodes.refused);
    });
}

const serversOf = (processes: number): string => `${processes} server ${processes === 1 ? 'process' : 'processes'}`;

function refuse(error: unknown): never {
  if (!(error instanceof UnknownKey)) throw error;
  throw new Refusal(
    `${serversOf(error.processes)} could not decrypt what is encrypted with this ENCRYPTION_KEY. Nothing was changed.\n` +
      'Name the key in ENCRYPTION_KEYS_PREVIOUS of every server, restart them, and run this again; one that was killed ' +
      'counts for 20 s. --force does it at once, and those servers fail then.',
  );
}

function describe({ keyId, resealed, unreadable, otherSealers }: EncryptionRotation): string {
  const said = record({ key: keyId, 'values encrypted anew': resealed, 'values that no key opens': unreadable });
  if (otherSealers > 0) {
    return `${said}\n${serversOf(otherSealers)} with another ENCRYPTION_KEY still running: restart with the new key, then run this again.`;
  }
  if (unreadable > 0) {
    return (
      `${said}\nWhat can be opened is encrypted with the present key. The rest was encrypted with a key that is not ` +
      'named here: name it in ENCRYPTION_KEYS_PREVIOUS and run this again, or accept the loss.'
    );
  }
  return `${said}\nThe keys in ENCRYPTION_KEYS_PREVIOUS are no longer needed.`;
}
