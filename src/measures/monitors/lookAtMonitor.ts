import { millisecondsAt, type QuantileSketch } from '../../../workers/sketch/index.js';
import type { Connection } from '../../storage/database.js';
import { hourMs, hourOf } from '../counter.js';
import { eachPart } from '../eachPart.js';
import type { Reservation } from '../../admission/byteBudget.js';
import type { FieldCounts } from '../fieldCounts.js';
import { Measurement } from '../measurementText.js';
import { parseCondition } from './condition.js';
import type { Monitor } from './monitors.schema.js';
import type { Finding } from './monitors.store.js';
import { byTenths, stabilityIndex, type Distribution } from './stability.js';

/** A monitor says nothing of fewer executions: a share of a few means little. */
const least = 20;
const windows = { '1h': hourMs, '24h': 24 * hourMs };
const referenceMs = 30 * 24 * hourMs;

const nothing: Finding = { value: null, holds: false };

/** Holds what was counted in a monitor's window against its condition. */
export async function look(
  connection: Connection,
  monitor: Monitor,
  { at, reservation }: { readonly at: number; readonly reservation: Reservation },
): Promise<Finding> {
  const condition = parseCondition(monitor.condition);
  if (condition === undefined) return nothing;
  const from = hourOf(at) - windows[monitor.window];
  const present = await versionsOf(connection, monitor, { from, to: hourOf(at) + hourMs, reservation });
  const value = condition.drift
    ? await driftOf(connection, monitor, { present, from, reservation })
    : valueOf(monitor.measure, all(present));
  return value === null ? nothing : { value, holds: condition.holds(value) };
}

type Versions = ReadonlyMap<number, Measurement>;

/** What was counted between two times, by version. */
async function versionsOf(
  connection: Connection,
  { workspaceId, decisionId, environmentId, measure }: Monitor,
  { from, to, reservation }: { readonly from: number; readonly to: number; readonly reservation: Reservation },
): Promise<Versions> {
  const pointer = typeof measure === 'string' ? undefined : measure.pointer;
  const found = new Map<number, Measurement>();
  const filter = { workspaceId, decisionId, environmentId, from: new Date(from), to: new Date(to) };
  const withFields = pointer !== undefined;
  await eachPart(connection, filter, { withFields, reservation }, ({ version, hour: _, ...part }) => {
    const measurement = found.get(version) ?? new Measurement();
    found.set(version, measurement);
    measurement.add(part, pointer, reservation);
  });
  return found;
}

function all(versions: Versions): Measurement {
  const sum = new Measurement();
  for (const { count, failed, warnings, times, field } of versions.values()) {
    sum.add(
      { count, failed, warnings, times: JSON.stringify(times), fields: field && JSON.stringify({ '': field }) },
      '',
    );
  }
  return sum;
}

/** Null where there is not enough. */
function valueOf(measure: Monitor['measure'], of: Measurement): number | null {
  const all = executionsOf(measure, of);
  if (all < least) return null;
  if (measure === 'failed') return of.failed / all;
  if (measure === 'p99') return millisecondsAt(of.times, 0.99);
  return countOf(of.field, measure.equals ?? null) / all;
}

/** Executions of which it is known what is measured: of a field those that were counted while it was, and completed. */
const executionsOf = (measure: Monitor['measure'], { count, field }: Measurement): number =>
  typeof measure === 'string' ? count : (field?.total ?? 0);

function countOf(field: FieldCounts | null, value: unknown): number {
  const wanted = JSON.stringify(value);
  const [, found = 0] = field?.toJSON().values.find(([text]) => text === wanted) ?? [];
  return found;
}

/**
 * The stability index of the newest version beside the one before it, where that has been executed within 30 days; else of
 * all beside the 30 days before. Null where there is not enough of either.
 */
async function driftOf(
  connection: Connection,
  monitor: Monitor,
  {
    present,
    from,
    reservation,
  }: { readonly present: Versions; readonly from: number; readonly reservation: Reservation },
): Promise<number | null> {
  const earlier = await versionsOf(connection, monitor, { from: from - referenceMs, to: from, reservation });
  const newest = Math.max(...present.keys());
  const before = Math.max(...[...earlier.keys(), ...present.keys()].filter((version) => version < newest));
  const previous = all(
    new Map(
      [earlier, present].flatMap((some, at) => {
        const measurement = some.get(before);
        return measurement === undefined ? [] : [[at, measurement] as const];
      }),
    ),
  );
  const hasPrevious = executionsOf(monitor.measure, previous) >= least;
  const now = hasPrevious ? present.get(newest) : all(present);
  const reference = hasPrevious ? previous : all(earlier);
  if (now === undefined || [now, reference].some((one) => executionsOf(monitor.measure, one) < least)) return null;
  const [one, other] = [
    distributionOf(monitor.measure, now, reference),
    distributionOf(monitor.measure, reference, reference),
  ];
  return one.size === 0 || other.size === 0 ? null : stabilityIndex(one, other);
}

/** @param reference whose tenths numbers are told apart by */
function distributionOf(measure: Monitor['measure'], of: Measurement, reference: Measurement): Distribution {
  if (measure === 'failed')
    return new Map([
      ['failed', of.failed],
      ['completed', of.count - of.failed],
    ]);
  if (measure === 'p99') return tenthsOf(of.times, reference.times);
  if (of.field === null || reference.field === null) return new Map();
  if (measure.equals !== undefined) {
    const equal = countOf(of.field, measure.equals);
    return new Map([
      ['equal', equal],
      ['another', of.field.total - equal],
    ]);
  }
  const { values, others, absent } = of.field.toJSON();
  const tenths = tenthsOf(of.field.numbers, reference.field.numbers);
  return new Map([...values, ['others', others], ['absent', absent], ...tenths]);
}

/** Both by the wider of their buckets. */
const tenthsOf = (of: QuantileSketch, reference: QuantileSketch): Distribution =>
  byTenths(of.atLevel(reference.level), reference.atLevel(of.level));
