import { hkdfSync, randomBytes } from 'node:crypto';
import { createXaesKey, xaesNonceBytes, xaesOpen, xaesSeal, type XaesKey } from './xaesGcm.js';

/**
 * Authenticated encryption of short texts. `context` names the column and row that hold it, its first part the purpose,
 * as in `variables/…`; it is authenticated, so that a ciphertext moved to another row does not open.
 */
export interface Encryption {
  /** The id of the present master key: 4 bytes, no secret. */
  readonly keyId: Buffer;
  /** The ids of all master keys that can open values, the present one's first. */
  readonly keyIds: readonly Buffer[];
  /** Encrypts with the present master key. */
  seal(plaintext: string, context: string): Buffer;
  /** Throws when no master key fits, or the context or a byte is another. */
  open(sealed: Buffer, context: string): string;
  /** False where another master key sealed it. @param sealed its first bytes are enough */
  isPresent(sealed: Buffer): boolean;
  /** A key for HMACs, derived from the present master key. */
  readonly digestKey: Buffer;
}

/** The first byte of the form that is written; a later form has another one. */
const version = 1;
const keyIdBytes = 4;

/** Bytes of a sealed value that tell its form and its master key. */
export const sealedHeadBytes = 1 + keyIdBytes;
/** The id of the master key that sealed a value, in hex. */
export const keyIdOf = (sealed: Buffer): string => sealed.subarray(1, sealedHeadBytes).toString('hex');
const bodyAt = sealedHeadBytes + xaesNonceBytes;

interface MasterKey {
  readonly id: Buffer;
  readonly head: Buffer;
  readonly digestKey: Buffer;
  /** The key of the context's purpose. */
  keyFor(context: string): XaesKey;
}

/** HKDF (RFC 5869) derives a key for digests and one for each purpose. @param key 32 bytes */
function masterKey(key: Buffer): MasterKey {
  const derive = (info: string): Buffer => Buffer.from(hkdfSync('sha256', key, Buffer.alloc(0), info, 32));
  const id = derive('verdict/key-id').subarray(0, keyIdBytes);
  const keys = new Map<string, XaesKey>();
  return {
    id,
    head: Buffer.concat([Buffer.from([version]), id]),
    digestKey: derive('verdict/digest'),
    keyFor(context) {
      const [purpose = ''] = context.split('/', 1);
      let found = keys.get(purpose);
      if (found === undefined) keys.set(purpose, (found = createXaesKey(derive(`verdict/seal/${purpose}`))));
      return found;
    },
  };
}

/**
 * Sealed is: version, id of the master key, nonce, tag, ciphertext.
 * @param present ENCRYPTION_KEY, 32 bytes
 * @param previous ENCRYPTION_KEYS_PREVIOUS, which open and never seal
 */
export function createEncryption(present: Buffer, previous: readonly Buffer[] = []): Encryption {
  const sealing = masterKey(present);
  const masters = [sealing, ...previous.map(masterKey)];
  const isOf = ({ head }: MasterKey, sealed: Buffer): boolean => sealed.subarray(0, sealedHeadBytes).equals(head);

  return {
    keyId: sealing.id,
    keyIds: masters.map(({ id }) => id),
    seal(plaintext, context) {
      const nonce = randomBytes(xaesNonceBytes);
      return Buffer.concat([sealing.head, nonce, xaesSeal(sealing.keyFor(context), nonce, plaintext, context)]);
    },
    open(sealed, context) {
      const master = masters.find((each) => isOf(each, sealed));
      if (master === undefined) throw new Error('no master key of this process sealed the value');
      const nonce = sealed.subarray(sealedHeadBytes, bodyAt);
      return xaesOpen(master.keyFor(context), nonce, sealed.subarray(bodyAt), context);
    },
    isPresent: (sealed) => isOf(sealing, sealed),
    digestKey: sealing.digestKey,
  };
}
