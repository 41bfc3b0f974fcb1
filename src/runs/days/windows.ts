import { idFromBytes, idTime, lowestIdAt } from '../../storage/ids.js';
import type { Order } from '../../storage/pages.js';
import { dayMs } from './days.js';

/** The first of the ids within bounds, in an order. */
export interface IdRange {
  /** Ids beyond it; undefined: from the lowest one on. */
  readonly after?: Buffer | undefined;
  readonly from?: Buffer | undefined;
  readonly before?: Buffer | undefined;
  readonly order: Order;
  readonly limit: number;
}

/** Days that are looked into at once: each costs a look for each route. Nearly all pages are full after the first. */
const steps = [2, 30];

/** No record is older. */
const longestMs = 20 * 365 * dayMs;

const timeOf = (id: Buffer): number => idTime(idFromBytes(id)).getTime();

/** Parts of a range in their order, of which later ones are read only where those before have too few. */
export function windowsOf(range: IdRange): IdRange[] {
  const now = Date.now();
  const { order, after, from, before } = range;
  const first = order === 'desc' ? (after ?? before) : (after ?? from);
  const begin = Math.min(first === undefined ? Infinity : timeOf(first), now + dayMs);
  // From the first record on: nobody knows when that was.
  if (order === 'asc' && (first === undefined || begin < now - longestMs)) return [range];
  const windows: IdRange[] = [];
  let rest = range;
  for (const days of steps) {
    const edge = lowestIdAt(new Date(order === 'desc' ? begin - days * dayMs : begin + days * dayMs));
    const isBeyond = order === 'desc' ? isAtMost(edge, from) : before !== undefined && isAtMost(before, edge);
    if (isBeyond) break;
    windows.push({ ...rest, ...(order === 'desc' ? { from: edge } : { before: edge }) });
    rest = { ...range, ...(order === 'desc' ? { after: undefined, before: edge } : { after: undefined, from: edge }) };
  }
  return [...windows, rest];
}

const isAtMost = (one: Buffer, other: Buffer | undefined): boolean =>
  other !== undefined && Buffer.compare(one, other) <= 0;
