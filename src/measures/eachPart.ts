import { textBytes, type Reservation } from '../admission/byteBudget.js';
import { createPause } from '../admission/pause.js';
import { chunks } from '../storage/batches.js';
import type { Connection } from '../storage/database.js';
import { readParts, sizesOfParts, type MeasuresFilter, type PartKey, type ReadMeasures } from './measures.store.js';

/** Parts that one statement looks for, and bytes of parts that are read at once; a single part may have more, some 100 KB. */
const page = { parts: 200, bytes: 512 * 1024 };

interface PartsRequest {
  readonly withFields: boolean;
  /** Charged with what is read, before it is and while it is held. */
  readonly reservation: Reservation;
}

/** Calls `add` with each part that the filter has, reading some at a time. Rejects with `overloaded` where the workspace holds too much. */
export async function eachPart(
  connection: Connection,
  filter: MeasuresFilter,
  { withFields, reservation }: PartsRequest,
  add: (part: ReadMeasures) => void,
): Promise<void> {
  const pause = createPause();
  for (let after: PartKey | null = null; ;) {
    const parts = await sizesOfParts(connection, filter, { after, withFields, most: page.parts });
    for (const some of chunks(parts, ({ bytes }) => bytes, { size: page.bytes })) {
      const [first] = some;
      const last = some.at(-1) ?? first;
      const bytes = textBytes({ length: some.reduce((sum, part) => sum + part.bytes, 0) });
      reservation.grow(bytes);
      for (const part of await readParts(connection, filter, { first, last, withFields })) {
        add(part);
        const paused = pause();
        if (paused !== undefined) await paused;
      }
      reservation.shrink(bytes);
      after = last;
    }
    if (parts.length < page.parts) return;
  }
}
