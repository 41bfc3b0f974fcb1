import { millisecondsAt, QuantileSketch, type KeptSketch } from '../../workers/sketch/index.js';
import { textBytes, type Reservation } from '../admission/byteBudget.js';
import { bytesOfField, FieldCounts, type KeptField } from './fieldCounts.js';
import type { ReadMeasures } from './measures.store.js';

/** Values of a field that a report shows. */
const maxValues = 20;
const quantiles = { p1: 0.01, p5: 0.05, p25: 0.25, p50: 0.5, p75: 0.75, p95: 0.95, p99: 0.99 } as const;

/** What a measurement takes at most: its field, and the buckets of its times. */
const mostBytes = bytesOfField + 32 * 1024;

/** All parts of one version in one step of time. */
export class Measurement {
  count = 0;
  failed = 0;
  warnings = 0;
  /** Of the engine, in microseconds. */
  readonly times = new QuantileSketch();
  /** Null where no part had counted it. */
  field: FieldCounts | null = null;
  /** Characters of what was added up. */
  #length = 0;

  /**
   * @param pointer undefined for no field
   * @param account is charged for what is kept, while there are many of them
   */
  add(
    { count, failed, warnings, times, fields }: Omit<ReadMeasures, 'version' | 'hour'>,
    pointer: string | undefined,
    account?: Pick<Reservation, 'grow'>,
  ): void {
    const kept =
      pointer === undefined || fields === null ? undefined : (JSON.parse(fields) as Record<string, KeptField>)[pointer];
    const before = this.#bytes;
    this.#length += times.length + (kept === undefined ? 0 : lengthOf(kept));
    account?.grow(this.#bytes - before);
    this.count += count;
    this.failed += failed;
    this.warnings += warnings;
    this.times.merge(JSON.parse(times) as KeptSketch);
    if (kept === undefined) return;
    this.field ??= new FieldCounts();
    this.field.merge(kept);
  }

  get #bytes(): number {
    return Math.min(mostBytes, textBytes({ length: this.#length }));
  }
}

/** Each value and each bucket has an entry beside its text. */
const lengthOf = ({ values, numbers }: KeptField): number =>
  values.reduce((sum, [text]) => sum + text.length + 30, 16 * numbers.buckets.length);

/** One version in one step of time, as the API shows it; JSON. */
export function measurementText(
  { at, version }: { readonly at: Date; readonly version: number },
  { count, failed, warnings, times, field }: Measurement,
  pointer: string | undefined,
): string {
  const engine = { p50: millisecondsAt(times, 0.5), p99: millisecondsAt(times, 0.99) };
  const head = JSON.stringify({ at, version, count, failed, warnings, engine });
  if (pointer === undefined) return head;
  return `${head.slice(0, -1)},"field":${field === null ? 'null' : fieldText(field)}}`;
}

function fieldText(field: FieldCounts): string {
  const { values, others, absent } = field.toJSON();
  const shown = values.slice(0, maxValues);
  const beyond = values.slice(maxValues).reduce((sum, [, count]) => sum + count, others);
  // They are JSON already.
  const texts = shown.map(([value, count]) => `{"value":${value},"count":${count}}`);
  const { numbers } = field;
  const { count } = numbers;
  const found = Object.entries(quantiles).map(([name, share]) => [name, numbers.quantile(share)] as const);
  const rest = { others: beyond, absent, numbers: count === 0 ? null : { count, ...Object.fromEntries(found) } };
  return `{"values":[${texts.join()}],${JSON.stringify(rest).slice(1)}`;
}
