import { estimateSealedRows, rotateEncryption, KeyNotKnown, type EncryptionRotation } from '../../encryption/rotate.js';
import { keyPublishDelayS, rotateKey } from '../../oauth/rotate.js';
import { command, type CommandGroup } from '../command.js';
import { Refusal, exitCodes } from '../failures.js';
import { flag } from '../params.js';
import { record } from '../tableOf.js';

export const keyCommands: CommandGroup = {
  groups: { key: 'the keys that sign access tokens' },
  commands: [
    command({
      name: 'key rotate',
      about:
        `make a new signing key: published at once, signing after ${keyPublishDelayS} seconds; the keys before it stay ` +
        'published until the last token that they signed has expired (TOKEN_LIFETIME_S), so that no token is refused',
      examples: ['key rotate'],
      where: 'here',
      async run({ session }) {
        const { tokenLifetimeS } = session.config();
        const { kid, signsAt, previousExpireAt } = await rotateKey({ ...(await session.stores()), tokenLifetimeS });
        return { kid, signsAt: signsAt.toISOString(), previousExpireAt: previousExpireAt.toISOString() };
      },
      text: ({ kid, signsAt, previousExpireAt }) =>
        record({ kid, 'signs from': signsAt, 'the keys before are withdrawn at': previousExpireAt }),
    }),
  ],
};

const serversOf = (processes: number): string => `${processes} server ${processes === 1 ? 'process' : 'processes'}`;

function refuse(error: unknown): never {
  if (!(error instanceof KeyNotKnown)) throw error;
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

export const encryptionCommands: CommandGroup = {
  groups: { encryption: 'the key that encrypts what is stored' },
  commands: [
    command({
      name: 'encryption rotate',
      about:
        'encrypt everything anew with ENCRYPTION_KEY, where one of ENCRYPTION_KEYS_PREVIOUS did it before; servers go on ' +
        'meanwhile, and an interrupted command is simply repeated',
      examples: ['encryption rotate'],
      where: 'here',
      options: {
        force: flag('--force', 'also where a running server does not know ENCRYPTION_KEY: it fails from then on'),
      },
      async run({ session }, { force = false }) {
        const stores = await session.stores();
        const onWait = (processes: number): void =>
          session.note(
            `Waiting for ${serversOf(processes)} with another ENCRYPTION_KEY to end, or to be found ended …`,
          );
        const total = await estimateSealedRows(stores.database);
        const rotation = await session.during('encrypting', total, (onRows) =>
          rotateEncryption({ ...stores, force, onRows, onWait }).catch(refuse),
        );
        return { ...rotation, finished: rotation.otherSealers === 0 && rotation.unreadable === 0 };
      },
      text: describe,
      end: ({ finished }) => (finished ? undefined : exitCodes.refused),
    }),
  ],
};
