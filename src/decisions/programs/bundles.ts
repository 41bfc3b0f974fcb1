import type { Knex } from 'knex';
import type { Manifest } from '../../../workers/protocol.js';
import { Problem } from '../../errors.js';
import type { ByteBudget } from '../../admission/byteBudget.js';
import { contentChunks, readSizes } from '../contents.store.js';
import { importLimits } from '../limits.js';

/**
 * Reads a program as JSON text of a `Bundle`. Its size is known before anything is read: it is refused beyond the limit, and
 * charged to the workspace while it is read. Undefined when a content is gone. `given` is a content that is not stored.
 * @throws Problem `model_too_large`, `overloaded`
 */
export type ReadBundle = (
  workspaceId: string,
  manifest: string,
  given?: { readonly hash: string; readonly text: string },
) => Promise<string | undefined>;

export function createReadBundle({
  database,
  budget,
}: {
  readonly database: Knex;
  readonly budget: ByteBudget;
}): ReadBundle {
  // Twice that, which it takes, is within one workspace's share.
  const maxBytes = Math.min(importLimits.programBytes, budget.status().maxBytesInFlight / 8);
  return async (workspaceId, manifest, given) => {
    const { entries } = JSON.parse(manifest) as Manifest;
    const hashes = new Set(entries.map(({ content }) => content));
    const members: string[] = [];
    const add = (hash: string, text: string): number => members.push(`"${hash}":${JSON.stringify(text)}`);
    if (given !== undefined && hashes.delete(given.hash)) add(given.hash, given.text);
    const sizes = await readSizes(database, hashes);
    if (sizes.size < hashes.size) return undefined;
    const bytes = sum(sizes.values()) + Buffer.byteLength(given?.text ?? '');
    if (bytes > maxBytes) throw tooLarge(bytes, maxBytes);
    // The texts themselves, and with them the text that they are put together in.
    const reservation = budget.reserve(workspaceId, 2 * bytes);
    try {
      for await (const texts of contentChunks(database, sizes)) {
        for (const [hash, text] of texts) add(hash, text);
      }
      return `{"manifest":${manifest},"contents":{${members.join()}}}`;
    } finally {
      reservation.release();
    }
  };
}

/** Adds up the bytes of contents, each once, and remembers them. @param known those that need not be read */
export function createSizer(
  database: Knex,
  known = new Map<string, number>(),
): (hashes: Iterable<string>) => Promise<number> {
  return async (hashes) => {
    const wanted = [...new Set(hashes)];
    const absent = wanted.filter((hash) => !known.has(hash));
    for (const [hash, bytes] of await readSizes(database, absent)) known.set(hash, bytes);
    return sum(wanted.map((hash) => known.get(hash) ?? 0));
  };
}

/** @param named what is too large, for people */
export const tooLarge = (bytes: number, maxBytes: number = importLimits.programBytes, named = 'The model'): Problem =>
  new Problem(
    'model_too_large',
    `${named} and all decisions that it reaches have ${bytes} bytes together; at most ${maxBytes} can be run.`,
  );

const sum = (numbers: Iterable<number>): number => [...numbers].reduce((total, number) => total + number, 0);
