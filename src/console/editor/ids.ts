/**
 * A new id, of 128 random bits, which XML takes too: there none begins with a digit. Browsers keep `randomUUID` from pages on plain
 * http beside localhost.
 */
export const newId = (): string =>
  `n${Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
