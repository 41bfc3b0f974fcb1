import { broken } from '../http/body/violations.js';
import { textBytes, type Reservation } from '../admission/byteBudget.js';
import { createPause } from '../admission/pause.js';
import type { Connection } from '../storage/database.js';
import { hourMs } from './counter.js';
import { hoursWithMeasures, readMeasures, type MeasuresFilter, type ReadMeasures } from './measures.store.js';

/** Parts that are added up at most, and those with fields that are read at once: these may have some 60 KB each. */
const maxParts = 50_000;
const maxPartsWithFields = 500;
/** Hours of which fields are read at once. */
const windowMs = 6 * hourMs;

interface PartsRequest {
  readonly withFields: boolean;
  /** Charged with what is read, while it is. */
  readonly reservation: Reservation;
}

/**
 * Gives all parts to be added up, some at a time. Rejects with `validation_failed` where they are too many, and with
 * `overloaded` where the workspace holds too much.
 */
export async function eachPart(
  connection: Connection,
  filter: MeasuresFilter,
  { withFields, reservation }: PartsRequest,
  add: (part: ReadMeasures) => void,
): Promise<void> {
  const [from, to] = [filter.from.getTime(), filter.to.getTime()];
  const size = withFields ? windowMs : to - from;
  const most = withFields ? maxPartsWithFields : maxParts;
  const pause = createPause();
  // One read tells where there is anything, so that nobody looks through empty days.
  const starts = withFields ? (await hoursWithMeasures(connection, filter)).map((hour) => hour.getTime()) : [from];
  let end = from;
  for (const start of starts) {
    if (start < end) continue;
    end = Math.min(start + size, to);
    const window = { from: new Date(start), to: new Date(end) };
    const rows = await readMeasures(connection, { ...filter, ...window }, { withFields, most });
    if (rows.length === most) throw tooMuch();
    const bytes = rows.reduce((sum, { times, fields }) => sum + textBytes(times) + textBytes(fields ?? ''), 0);
    reservation.grow(bytes);
    for (const row of rows) {
      add(row);
      const paused = pause();
      if (paused !== undefined) await paused;
    }
    reservation.shrink(bytes);
  }
}

const tooMuch = () =>
  broken([{ in: 'query', pointer: 'from', message: 'asks for more than can be added up: ask for a shorter time' }]);
