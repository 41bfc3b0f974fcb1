import { Counter, Gauge, type Aggregator, type Registry } from 'prom-client';
import { Cache, performanceNow } from '../../cache/cache.js';
import { within } from '../../clock/timers.js';

type Read<Status> = (status: Status) => number;

/** Adds gauges that read a status when metrics are collected; without a status they have no sample. */
export const createGauges =
  <Status>(registry: Registry, status: () => Status | undefined) =>
  (name: string, help: string, value: Read<Status>, aggregator: Aggregator = 'sum'): void => {
    new Gauge({
      name,
      help,
      aggregator,
      registers: [registry],
      collect() {
        const present = status();
        if (present !== undefined) this.set(value(present));
      },
    });
  };

/** Adds counters of what a status counts by itself; 0 without a status. */
export const createCounters =
  <Status>(registry: Registry, status: () => Status | undefined) =>
  (name: string, help: string, value: Read<Status>): void => {
    new Counter({
      name,
      help,
      registers: [registry],
      collect() {
        const present = status();
        this.reset();
        if (present !== undefined) this.inc(value(present));
      },
    });
  };

/** Milliseconds that a scrape waits for the database. */
const timeoutMs = 500;

/** Milliseconds for which one reading serves all metrics of a scrape. */
const sharedMs = 200;

/**
 * Adds gauges of what stands in the database, which all processes share: the largest reading counts, not the sum. Values are by
 * the label `state`; `''` has no label.
 */
export function createDatabaseGauges<Reading>(
  registry: Registry,
  read: () => Promise<Reading> | undefined,
): (name: string, help: string, valuesOf: (reading: Reading) => Readonly<Record<string, number>>) => void {
  const readings = new Cache({
    ...{ maxCount: 1, maxAgeMs: sharedMs, renewMs: sharedMs },
    load: async () => ({ value: await inTime(read()), readAt: performanceNow() }),
  });
  return (name, help, valuesOf) => {
    new Gauge({
      name,
      help,
      labelNames: ['state'],
      aggregator: 'max',
      registers: [registry],
      async collect() {
        const present = await readings.get('');
        // Without an answer there is no sample: a zero would look as if nothing waited.
        this.reset();
        if (present === undefined) return;
        for (const [state, value] of Object.entries(valuesOf(present))) this.set(state === '' ? {} : { state }, value);
      },
    });
  };
}

function inTime<T>(reading: Promise<T> | undefined): Promise<T | undefined> {
  const nothing = (): undefined => undefined;
  return within(timeoutMs, Promise.resolve(reading), nothing).catch(nothing);
}
