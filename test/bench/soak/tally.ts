import { quantile } from '../quantile.js';
import { Times } from './times.js';

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
  readonly #kinds = new Map<string, { readonly times: Times; readonly answers: Map<string, number> }>();
  readonly #findings = new Map<string, number>();
  /** By fault, then by label. */
  readonly #explained = new Map<string, Map<string, number>>();
  #lately: number[] = [];

  /** @param label of the answer, as `Reply` has it */
  count(kind: string, label: string, ms: number): void {
    const known = this.#kinds.get(kind) ?? { times: new Times(), answers: new Map<string, number>() };
    this.#kinds.set(kind, known);
    known.times.add(ms);
    more(known.answers, label);
    this.#lately.push(ms);
  }

  /** Something that should not have been. Equal texts are counted, so they hold no ids. */
  find(text: string): void {
    more(this.#findings, text);
  }

  /** An error that came of a fault made on purpose. */
  explain(label: string, fault: string): void {
    const labels = this.#explained.get(fault) ?? new Map<string, number>();
    this.#explained.set(fault, labels);
    more(labels, label);
  }

  /** What each fault explains: how many of which errors. */
  get explained(): Readonly<Record<string, Readonly<Record<string, number>>>> {
    return Object.fromEntries([...this.#explained].map(([fault, labels]) => [fault, Object.fromEntries(labels)]));
  }

  get requests(): number {
    return [...this.#kinds.values()].reduce((sum, { times }) => sum + times.count, 0);
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
    const kinds = [...this.#kinds].sort(([, a], [, b]) => b.times.count - a.times.count);
    return kinds.map(([kind, { times, answers }]) => ({
      kind,
      requests: times.count,
      p50Ms: times.quantile(0.5),
      p99Ms: times.quantile(0.99),
      slowestMs: times.slowestMs,
      answers: Object.fromEntries(answers),
    }));
  }
}

const more = (counts: Map<string, number>, key: string): void => void counts.set(key, (counts.get(key) ?? 0) + 1);
