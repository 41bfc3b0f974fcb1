import { LRUCache } from 'lru-cache';
import type { Lane } from './outbox.store.js';

/** How many messages this process may have claimed at once; as many may be sent again when it dies. */
const limits = { lane: 20, total: 200 } as const;
const startingWidth = 4;
/** Answers within this time, in milliseconds, widen a lane; slower ones narrow it. */
const briskMs = 1000;
/** Lanes whose width is remembered; the least recently used ones start over. */
const maxKnown = 10_000;

/**
 * How many messages of each receiver this process may have claimed without a written outcome. A lane widens while its
 * receiver answers briskly and narrows to one while it does not, so that many slow receivers together leave room for
 * everybody else.
 */
export interface AdaptiveConcurrency {
  /** How many more messages of the lane to claim now; 0 while too few to be worth a transaction. */
  readonly room: (lane: Lane) => number;
  readonly claimed: (lane: Lane) => void;
  readonly answered: (lane: Lane, result: { readonly reached: boolean; readonly ms: number }) => void;
  /** The outcome of a claimed message was written. */
  readonly recorded: (lane: Lane) => void;
}

export function createAdaptiveConcurrency(): AdaptiveConcurrency {
  const widths = new LRUCache<string, number>({ max: maxKnown });
  const open = new Map<string, number>();
  let total = 0;

  const nameOf = ({ tenantId, channel }: Lane): string => `${tenantId}/${channel}`;
  const count = (name: string, by: 1 | -1): void => {
    const next = (open.get(name) ?? 0) + by;
    if (next === 0) open.delete(name);
    else open.set(name, next);
    total += by;
  };

  return {
    room(lane) {
      const name = nameOf(lane);
      const width = widths.get(name) ?? startingWidth;
      const free = Math.min(width - (open.get(name) ?? 0), limits.total - total);
      // A claim costs a transaction: it waits until it can bring half a lane's worth.
      return free * 2 >= width ? free : 0;
    },
    claimed: (lane) => count(nameOf(lane), 1),
    recorded: (lane) => count(nameOf(lane), -1),
    answered(lane, { reached, ms }) {
      const name = nameOf(lane);
      const width = widths.get(name) ?? startingWidth;
      if (!reached) widths.set(name, 1);
      else widths.set(name, ms <= briskMs ? Math.min(limits.lane, width * 2) : Math.max(1, Math.floor(width / 2)));
    },
  };
}
