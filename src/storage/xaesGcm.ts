import { createCipheriv, createDecipheriv } from 'node:crypto';

/**
 * XAES-256-GCM (https://c2sp.org/XAES-256-GCM): AES-256-GCM whose key is derived anew, for each text, from half of a nonce
 * of 192 bits. AES-GCM alone with random nonces ends at 2^32 texts a key, 50 days of 1,000 a second; this one at 2^80.
 */

/** A key with what is computed of it once. */
export interface XaesKey {
  readonly key: Buffer;
  readonly mask: Buffer;
}

export const xaesNonceBytes = 24;
const tagBytes = 16;
const blockBytes = 16;

/** @param key 32 bytes */
export function createXaesKey(key: Buffer): XaesKey {
  const block = encryptBlocks(key, Buffer.alloc(blockBytes));
  // Doubling in GF(2^128), as CMAC makes its first subkey (NIST SP 800-38B, section 6.1).
  const mask = block.map((byte, index) => (byte << 1) | ((block[index + 1] ?? 0) >> 7));
  if ((block[0] ?? 0) & 0x80) mask[blockBytes - 1] = (mask[blockBytes - 1] ?? 0) ^ 0x87;
  return { key, mask: Buffer.from(mask) };
}

/** @returns the tag, then the ciphertext */
export function xaesSeal(key: XaesKey, nonce: Buffer, plaintext: string, additional: string): Buffer {
  const cipher = createCipheriv('aes-256-gcm', deriveKey(key, nonce), nonce.subarray(12));
  cipher.setAAD(Buffer.from(additional));
  const body = Buffer.concat([cipher.update(plaintext, 'utf8'), cipher.final()]);
  return Buffer.concat([cipher.getAuthTag(), body]);
}

/** Throws when anything is another than when it was sealed. */
export function xaesOpen(key: XaesKey, nonce: Buffer, sealed: Buffer, additional: string): string {
  const decipher = createDecipheriv('aes-256-gcm', deriveKey(key, nonce), nonce.subarray(12), {
    authTagLength: tagBytes,
  });
  decipher.setAAD(Buffer.from(additional));
  decipher.setAuthTag(sealed.subarray(0, tagBytes));
  return Buffer.concat([decipher.update(sealed.subarray(tagBytes)), decipher.final()]).toString('utf8');
}

/** CMAC in counter mode (NIST SP 800-108) over `X` and the first half of the nonce: two blocks, each a CMAC of one block. */
function deriveKey({ key, mask }: XaesKey, nonce: Buffer): Buffer {
  const blocks = Buffer.alloc(2 * blockBytes);
  for (const number of [1, 2]) {
    const at = (number - 1) * blockBytes;
    blocks.set([0, number, 0x58, 0], at);
    nonce.copy(blocks, at + 4, 0, 12);
  }
  for (let index = 0; index < blocks.length; index++) {
    blocks[index] = (blocks[index] ?? 0) ^ (mask[index % blockBytes] ?? 0);
  }
  return encryptBlocks(key, blocks);
}

const encryptBlocks = (key: Buffer, blocks: Buffer): Buffer =>
  createCipheriv('aes-256-ecb', key, null).setAutoPadding(false).update(blocks);
