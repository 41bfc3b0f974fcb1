import { AggregatorRegistry, Registry, type MetricObject } from 'prom-client';

export type Snapshot = readonly MetricObject[];

export const exposedType = Registry.PROMETHEUS_CONTENT_TYPE;

export function merge(snapshots: readonly Snapshot[]): Promise<Snapshot> {
  return registryOf(snapshots).getMetricsAsJSON();
}

export function expose(snapshot: Snapshot): Promise<string> {
  return registryOf([snapshot]).metrics();
}

// Declared as a list of objects, but takes lists of metrics, as getMetricsAsJSON gives them.
const registryOf = (snapshots: readonly Snapshot[]): Registry =>
  AggregatorRegistry.aggregate([...snapshots] as object[]);
