import { randomUUID } from 'node:crypto';

/**
 * A clock that is set back by more than this is followed, because ids are read as times: they would be wrong for as
 * long as the clock was ahead.
 */
const followedMs = 60 * 60 * 1000;

/**
 * The millisecond of the last id, and how many came before it in that millisecond; together they only grow, except
 * where the clock is followed.
 */
let lastMs = 0;
let counter = 0;

/**
 * A UUIDv7 (RFC 9562): text outside, BINARY(16) in MySQL. Ascending id is creation order: always within a process,
 * where the 12 bits after the milliseconds are a counter (section 6.2, method 1); between processes as far as their
 * clocks agree.
 */
export function newId(): string {
  const now = Date.now();
  if (now > lastMs || now < lastMs - followedMs) [lastMs, counter] = [now, 0];
  else if (++counter === 4096) [lastMs, counter] = [lastMs + 1, 0];
  const time = lastMs.toString(16).padStart(12, '0');
  const count = counter.toString(16).padStart(3, '0');
  // Variant and random bits are taken from a version 4, which Node makes from a pool, without a system call each.
  return `${time.slice(0, 8)}-${time.slice(8)}-7${count}-${randomUUID().slice(19)}`;
}

/** The moment in a UUIDv7, to the millisecond. */
export const idTime = (id: string): Date => new Date(parseInt(id.slice(0, 8) + id.slice(9, 13), 16));

/** The lowest id of a millisecond, so that ids made from then on are at or above it. */
export function lowestIdAt(time: Date): Buffer {
  const bytes = Buffer.alloc(16);
  // Clamped to the 48 bits of the milliseconds.
  bytes.writeUIntBE(Math.min(Math.max(0, time.getTime()), 2 ** 48 - 1), 0, 6);
  return bytes;
}

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export const isUuid = (text: string): boolean => uuidPattern.test(text);

/** UUID text to the 16 bytes that MySQL stores. The text must be a UUID. */
export function idToBytes(id: string): Buffer {
  const bytes = Buffer.allocUnsafe(16);
  let at = 0;
  for (let index = 0; at < 16; index += 2) {
    if (id.charCodeAt(index) === 0x2d) index++;
    bytes[at++] = (hexDigit(id.charCodeAt(index)) << 4) | hexDigit(id.charCodeAt(index + 1));
  }
  return bytes;
}

/** The digit's value by its character code; letters of either case differ from digits by bit 6. */
const hexDigit = (code: number): number => (code & 0xf) + (code >> 6) * 9;

/** 16 bytes from MySQL to UUID text, lower case. */
export function idFromBytes(bytes: Buffer): string {
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
