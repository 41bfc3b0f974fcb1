import { createHistogram, type RecordableHistogram } from 'node:perf_hooks';

/** What came of the requests of one kind. Milliseconds. */
export interface KindSummary {
  readonly kind: string;
  readonly requests: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly slowestMs: number;
  readonly answers: Readonly<Record<string, number>>;
}

/** One second of the run. */
export type Second = Pick<KindSummary, 'requests' | 'p50Ms' | 'p99Ms'>;

const keptFindings = 20;

/** Counts what clients saw. */
export class Tally {
  readonly #kinds = new Map<
    string,
    { readonly times: RecordableHistogram; readonly answers: Record<string, number> }
  >();
  readonly #findings: Record<string, number> = {};
  #lately = createHistogram();

  /** @param label of the answer, as `Reply` has it */
  count(kind: string, label: string, ms: number): void {
    const known = this.#kinds.get(kind) ?? { times: createHistogram(), answers: {} };
    this.#kinds.set(kind, known);
    more(known.answers, label);
    for (const times of [known.times, this.#lately]) times.record(Math.max(1, Math.round(ms * 1000)));
  }

  /** Something that should not have been. Equal texts are counted, so they hold no ids. */
  find(text: string): void {
    more(this.#findings, text);
  }

  get requests(): number {
    return [...this.#kinds.values()].reduce((sum, { times }) => sum + times.count, 0);
  }

  /** Most frequent first. */
  get findings(): { readonly text: string; readonly times: number }[] {
    const all = Object.entries(this.#findings).map(([text, times]) => ({ text, times }));
    return all.sort((a, b) => b.times - a.times).slice(0, keptFindings);
  }

  /** What was counted since the last call. @param seconds since then */
  lately(seconds: number): Second {
    const times = this.#lately;
    this.#lately = createHistogram();
    return { requests: times.count / seconds, p50Ms: quantile(times, 50), p99Ms: quantile(times, 99) };
  }

  summary(): KindSummary[] {
    const kinds = [...this.#kinds].sort(([, a], [, b]) => b.times.count - a.times.count);
    return kinds.map(([kind, { times, answers }]) => ({
      kind,
      requests: times.count,
      p50Ms: quantile(times, 50),
      p99Ms: quantile(times, 99),
      slowestMs: quantile(times, 100),
      answers,
    }));
  }
}

const quantile = (times: RecordableHistogram, percent: number): number =>
  times.count === 0 ? 0 : times.percentile(percent) / 1000;

const more = (counts: Record<string, number>, key: string): void => void (counts[key] = (counts[key] ?? 0) + 1);
