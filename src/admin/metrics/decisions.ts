import { Counter, type Registry } from 'prom-client';
import type { LiveExecution } from '../../runs/liveExecution.js';

/** How long usage is compared for, in milliseconds. */
const periodMs = 60_000;
/** Decisions without metrics of their own whose usage is compared, as a multiple of those that have them. */
const candidatesEach = 10;

interface Used {
  readonly workspaceId: string;
  readonly decisionId: string;
  completed: number;
  failed: number;
  engineUs: number;
  /** Executions in the present period. */
  recent: number;
}

const unused = ({ workspaceId, decisionId }: Pick<Used, 'workspaceId' | 'decisionId'>): Used => ({
  ...{ workspaceId, decisionId, completed: 0, failed: 0, engineUs: 0, recent: 0 },
});

/**
 * Counts executions of the most used decisions, up to a number; all others are counted together. At the end of a period
 * the most used of the others replace counted decisions that are used less than half as often, so that the counted ones
 * seldom change.
 */
export class DecisionMetrics {
  readonly #most: number;
  readonly #now: () => number;
  readonly #own = new Map<string, Used>();
  readonly #candidates = new Map<string, Used>();
  readonly #others = unused({ workspaceId: '', decisionId: 'others' });
  #periodEnd: number;

  /** @param most decisions with metrics of their own; with 0 nothing is counted */
  constructor(most: number, now = (): number => performance.now()) {
    this.#most = most;
    this.#now = now;
    this.#periodEnd = now() + periodMs;
  }

  /** To be called with every execution that is recorded: a look-up and some additions. */
  offer(run: Pick<LiveExecution, 'workspaceId' | 'decisionId' | 'status' | 'engineUs'>): void {
    if (this.#most === 0) return;
    const own = this.#own.get(run.decisionId) ?? this.#begin(run);
    const counted = own ?? this.#others;
    if (own === undefined) this.#consider(run);
    if (run.status === 'FAILED') counted.failed++;
    else counted.completed++;
    counted.engineUs += run.engineUs;
    counted.recent++;
  }

  #begin(run: Pick<Used, 'workspaceId' | 'decisionId'>): Used | undefined {
    if (this.#own.size >= this.#most) return undefined;
    const own = unused(run);
    this.#own.set(run.decisionId, own);
    return own;
  }

  #consider(run: Pick<Used, 'workspaceId' | 'decisionId'>): void {
    let candidate = this.#candidates.get(run.decisionId);
    if (candidate === undefined) {
      if (this.#candidates.size >= candidatesEach * this.#most) return;
      this.#candidates.set(run.decisionId, (candidate = unused(run)));
    }
    candidate.recent++;
  }

  /** The decisions that are shown; the sum of the others comes last. */
  read(): readonly Used[] {
    if (this.#most === 0) return [];
    if (this.#now() >= this.#periodEnd) this.#compare();
    return [...this.#own.values(), this.#others];
  }

  /** Decisions without metrics of their own whose usage is known. */
  get candidates(): number {
    return this.#candidates.size;
  }

  #compare(): void {
    const least = [...this.#own.values()].sort((one, other) => one.recent - other.recent);
    const used = [...this.#candidates.values()].sort((one, other) => other.recent - one.recent);
    for (const [at, candidate] of used.entries()) {
      const leaving = least[at];
      if (leaving === undefined || candidate.recent <= 2 * leaving.recent) break;
      this.#own.delete(leaving.decisionId);
      this.#begin(candidate);
    }
    this.#candidates.clear();
    for (const own of this.#own.values()) own.recent = 0;
    this.#periodEnd = this.#now() + periodMs;
  }
}

/** @param most METRICS_DECISIONS */
export function decisionMetrics(registry: Registry, most: number): DecisionMetrics {
  const decisions = new DecisionMetrics(most);
  const registers = [registry];
  new Counter({
    name: 'verdict_decision_executions_total',
    help: 'Recorded executions of the most used decisions, by status; those of all others have decision="others".',
    labelNames: ['workspace', 'decision', 'status'],
    registers,
    collect() {
      this.reset();
      for (const { workspaceId: workspace, decisionId: decision, completed, failed } of decisions.read()) {
        this.inc({ workspace, decision, status: 'completed' }, completed);
        this.inc({ workspace, decision, status: 'failed' }, failed);
      }
    },
  });
  new Counter({
    name: 'verdict_decision_engine_seconds_total',
    help: 'Time in the engine of the same.',
    labelNames: ['workspace', 'decision'],
    registers,
    collect() {
      this.reset();
      for (const { workspaceId: workspace, decisionId: decision, engineUs } of decisions.read())
        this.inc({ workspace, decision }, engineUs / 1e6);
    },
  });
  return decisions;
}
