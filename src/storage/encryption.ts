import { createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { createXaesKey, gcmOpen, xaesNonceBytes, xaesOpen, xaesSeal, type XaesKey } from './xaesGcm.js';

/**
 * Authenticated encryption of short texts. `context` names the place (table, row, column), its first part the purpose,
 * as in `variables/…`; it is authenticated, so that a ciphertext moved to another place does not open.
 */
export interface Encryption {
  seal(plaintext: string, context: string): Buffer;
  /** Throws when the key, the context or a byte is another. */
  open(sealed: Buffer, context: string): string;
  /** HMAC-SHA-256 with a key of its own: for secrets that are compared and never read back. */
  digest(secret: string): Buffer;
}

/** The first byte of the form that is written; a later form has another one. */
const version = 1;
const keyIdBytes = 4;
const firstFormNonceBytes = 12;

/**
 * `key` is ENCRYPTION_KEY: 32 bytes. HKDF (RFC 5869) derives a key for digests and one for each purpose.
 *
 * Sealed is: version, id of the master key, nonce, tag, ciphertext. The id is for the day when several master keys are in
 * use; it is read only to tell this form from the one before it, which had nonce, tag and ciphertext alone. A value of that
 * one, whose first bytes are random, passes for this one once in 2^40.
 */
export function createEncryption(key: Buffer): Encryption {
  const derive = (info: string): Buffer => Buffer.from(hkdfSync('sha256', key, Buffer.alloc(0), info, 32));
  const firstFormKey = derive('verdict/seal');
  const digestKey = derive('verdict/digest');
  const prefix = Buffer.concat([Buffer.from([version]), derive('verdict/key-id').subarray(0, keyIdBytes)]);
  const bodyAt = prefix.length + xaesNonceBytes;
  const keys = new Map<string, XaesKey>();

  const keyFor = (context: string): XaesKey => {
    const [purpose = ''] = context.split('/', 1);
    let found = keys.get(purpose);
    if (found === undefined) keys.set(purpose, (found = createXaesKey(derive(`verdict/seal/${purpose}`))));
    return found;
  };

  return {
    seal(plaintext, context) {
      const nonce = randomBytes(xaesNonceBytes);
      return Buffer.concat([prefix, nonce, xaesSeal(keyFor(context), nonce, plaintext, context)]);
    },
    open(sealed, context) {
      if (sealed.subarray(0, prefix.length).equals(prefix)) {
        return xaesOpen(keyFor(context), sealed.subarray(prefix.length, bodyAt), sealed.subarray(bodyAt), context);
      }
      const nonce = sealed.subarray(0, firstFormNonceBytes);
      return gcmOpen(firstFormKey, nonce, sealed.subarray(firstFormNonceBytes), context);
    },
    digest: (secret) => createHmac('sha256', digestKey).update(secret, 'utf8').digest(),
  };
}
