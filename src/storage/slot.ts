const slots = 16_384;

/** CRC-16/XMODEM of each byte. */
const table = Uint16Array.from({ length: 256 }, (_, byte) => {
  let crc = byte << 8;
  for (let bit = 0; bit < 8; bit++) crc = crc & 0x8000 ? (crc << 1) ^ 0x1021 : crc << 1;
  return crc;
});

/** The slot of a Redis Cluster that a key falls into (Redis Cluster specification, "Key distribution model"); for keys without `{`. */
export function slotOf(key: string): number {
  let crc = 0;
  for (const byte of Buffer.from(key)) crc = ((crc << 8) & 0xffff) ^ (table[((crc >> 8) ^ byte) & 0xff] ?? 0);
  return crc % slots;
}
