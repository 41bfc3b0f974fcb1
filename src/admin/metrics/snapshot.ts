import { AggregatorRegistry, Registry, type MetricObject } from 'prom-client';

/** All metrics of one or more processes at one moment, as data. */
export type Snapshot = readonly MetricObject[];

/** Content type of the text that `expose` makes. */
export const exposedType = Registry.PROMETHEUS_CONTENT_TYPE;

/** The metrics of several processes as one's: sums, unless the metric says otherwise. */
export function merge(snapshots: readonly Snapshot[]): Promise<Snapshot> {
  return registryOf(snapshots).getMetricsAsJSON();
}

/** The text that Prometheus reads. */
export function expose(snapshot: Snapshot): Promise<string> {
  return registryOf([snapshot]).metrics();
}

// Declared as a list of objects, but takes lists of metrics, as getMetricsAsJSON gives them.
const registryOf = (snapshots: readonly Snapshot[]): Registry =>
  AggregatorRegistry.aggregate([...snapshots] as object[]);
