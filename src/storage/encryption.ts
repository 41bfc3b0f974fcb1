import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';

const nonceBytes = 12;
const tagBytes = 16;

/**
 * AES-256-GCM of short texts. `context` names the place (table, row, column); it is authenticated, so that a
 * ciphertext moved to another place does not open.
 */
export interface Encryption {
  seal(plaintext: string, context: string): Buffer;
  /** Throws when the key, the context or a byte is another. */
  open(sealed: Buffer, context: string): string;
  /** HMAC-SHA-256 with a key of its own: for secrets that are compared and never read back. */
  digest(secret: string): Buffer;
}

/** `key` is ENCRYPTION_KEY: 32 bytes. Separate keys are derived for sealing and for digests (HKDF, RFC 5869). */
export function createEncryption(key: Buffer): Encryption {
  const derive = (info: string): Buffer => Buffer.from(hkdfSync('sha256', key, Buffer.alloc(0), info, 32));
  const sealingKey = derive('verdict/seal');
  const digestKey = derive('verdict/digest');
  return {
    seal(plaintext, context) {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv('aes-256-gcm', sealingKey, nonce);
      cipher.setAAD(Buffer.from(context));
      const body = Buffer.concat([cipher.update(plaintext, 'utf8'), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), body]);
    },
    open(sealed, context) {
      const decipher = createDecipheriv('aes-256-gcm', sealingKey, sealed.subarray(0, nonceBytes), {
        authTagLength: tagBytes,
      });
      decipher.setAAD(Buffer.from(context));
      decipher.setAuthTag(sealed.subarray(nonceBytes, nonceBytes + tagBytes));
      return Buffer.concat([decipher.update(sealed.subarray(nonceBytes + tagBytes)), decipher.final()]).toString(
        'utf8',
      );
    },
    digest: (secret) => createHmac('sha256', digestKey).update(secret, 'utf8').digest(),
  };
}
