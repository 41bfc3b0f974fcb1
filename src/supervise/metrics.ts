import { merge, type Snapshot } from '../admin/metrics/snapshot.js';
import type { Child } from './child.js';
import type { ProcessGroup } from './processGroup.js';

/** Types of metrics that only grow. prom-client declares the type as a number, but it is a string. */
const growing = new Set(['counter', 'histogram']);

/**
 * The metrics of all server processes. Counts of a process that is gone are kept: a falling sum would look to
 * Prometheus like a counter reset, and show as a burst that never was.
 */
export class AggregatedMetrics {
  readonly #group: ProcessGroup;
  readonly #last = new Map<Child, Snapshot>();
  #departed: Snapshot = [];

  constructor(group: ProcessGroup) {
    this.#group = group;
  }

  async read(): Promise<Snapshot> {
    const { serving } = this.#group;
    // A process that does not answer in time counts with its last snapshot.
    await Promise.all(
      serving.map(async (child) => {
        const snapshot = await child.ask('metrics');
        if (snapshot !== undefined) this.#last.set(child, snapshot);
      }),
    );
    await this.#bury();
    return [...(await merge([...this.#last.values(), this.#departed])), restartsMetric(this.#group.restarts)];
  }

  async #bury(): Promise<void> {
    const gone = [...this.#last].filter(([child]) => !child.serving);
    if (gone.length === 0) return;
    for (const [child] of gone) this.#last.delete(child);
    const counts = gone.map(([, snapshot]) => snapshot.filter(({ type }) => growing.has(String(type))));
    this.#departed = await merge([this.#departed, ...counts]);
  }
}

export function restartsMetric(restarts: number): Snapshot[number] {
  return {
    name: 'verdict_process_restarts_total',
    help: 'Server processes that took the place of one that died or hung.',
    type: 'counter',
    aggregator: 'sum',
    values: [{ value: restarts, labels: {} }],
  } as unknown as Snapshot[number];
}
