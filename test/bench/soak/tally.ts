import { quantile } from '../quantile.js';

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
export interface Second {
  readonly requests: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

const keptFindings = 20;

/** Counts what clients saw. */
export class Tally {
  readonly #kinds = new Map<string, { readonly times: number[]; readonly answers: Map<string, number> }>();
  readonly #findings = new Map<string, number>();
  #lately: number[] = [];

  /** @param label of the answer, as `labelOf` names it */
  count(kind: string, label: string, ms: number): void {
    const known = this.#kinds.get(kind) ?? { times: [], answers: new Map<string, number>() };
    this.#kinds.set(kind, known);
    known.times.push(ms);
    known.answers.set(label, (known.answers.get(label) ?? 0) + 1);
    this.#lately.push(ms);
  }

  /** Something that should not have been. Equal texts are counted, so they hold no ids. */
  find(text: string): void {
    this.#findings.set(text, (this.#findings.get(text) ?? 0) + 1);
  }

  /** Most frequent first. */
  get findings(): { readonly text: string; readonly times: number }[] {
    const all = [...this.#findings].map(([text, times]) => ({ text, times }));
    return all.sort((a, b) => b.times - a.times).slice(0, keptFindings);
  }

  /** What was counted since the last call. @param seconds since then */
  lately(seconds: number): Second {
    const times = this.#lately.sort((a, b) => a - b);
    this.#lately = [];
    return { requests: times.length / seconds, p50Ms: quantile(times, 0.5), p99Ms: quantile(times, 0.99) };
  }

  summary(): KindSummary[] {
    const kinds = [...this.#kinds].sort(([, a], [, b]) => b.times.length - a.times.length);
    return kinds.map(([kind, { times, answers }]) => {
      const sorted = Float64Array.from(times).sort();
      return {
        kind,
        requests: sorted.length,
        p50Ms: quantile(sorted, 0.5),
        p99Ms: quantile(sorted, 0.99),
        slowestMs: quantile(sorted, 1),
        answers: Object.fromEntries(answers),
      };
    });
  }
}
