import { availableParallelism } from 'node:os';
import { startServer, type ServerProcess } from '../support/process.js';
import { buildScene } from '../support/scene.js';
import { measure, setting, type Bed } from './bed.js';
import { deployDecision, targetOf } from './decision.js';
import { load } from './load.js';
import type { Report } from './report.js';
import { openTimed } from './timed.js';
import { startsOf, stepsOf, sweep, type Measure, type Plan, type Settings } from './sweep.js';
import { tuneReport } from './tuneReport.js';

// `make tune`: which processes, threads and queue limit serve best on this machine. SECONDS a measurement, TARGET_MS the
// time within which an answer counts.

const seconds = setting('SECONDS', 3);
const targetMs = setting('TARGET_MS', 200);
const cores = availableParallelism();
const plan: Plan = {
  processes: cores > 1 ? [1, Math.max(2, Math.ceil(cores / 2))] : [1],
  threads: [...new Set([1, Math.ceil(cores / 2), cores, cores * 2])].sort((a, b) => a - b),
  queues: [8, 32, 128, 500],
  connections: { usual: 32 * cores, overload: 128 * cores },
  rounds: 3,
};
/** A server that has just started has programs to compile and code to warm up; that is not what is compared. */
const warmSeconds = { fresh: 4, known: 1 };
/** Seconds that a measurement takes besides, and the end of one server with the start of the next. */
const [restS, startS] = [0.5, 4];

async function run({ ends }: Bed): Promise<Report> {
  const steps = stepsOf(plan);
  const budgetS = steps * (seconds + warmSeconds.known + restS) + startsOf(plan) * (warmSeconds.fresh + startS);
  const minutes = (budgetS / 60).toFixed(1);
  process.stderr.write(`${steps} measurements of ${seconds} s on ${cores} cores; ${minutes} min at most.\n`);
  const bar = openTimed(process.stderr, { label: 'Tuning', steps, budgetMs: budgetS * 1000 });
  const servers = new Servers();
  ends(() => servers.stop());
  const sent = await deployDecision(await buildScene(await servers.with(1)));
  const single: Measure = async (settings, connections) => {
    const fresh = !servers.has(settings.processes);
    const target = targetOf(await servers.set(settings), sent);
    await load(target, { connections, seconds: fresh ? warmSeconds.fresh : warmSeconds.known, targetMs });
    const measured = await load(target, { connections, seconds, targetMs });
    bar.advance();
    return measured;
  };
  const findings = await sweep(plan, single, bar);
  bar.end();
  return tuneReport(findings, { cores, seconds, targetMs, rounds: plan.rounds });
}

/** The one server that runs at a time. */
class Servers {
  #server: ServerProcess | undefined;
  #processes = 0;

  has(processes: number): boolean {
    return this.#processes === processes;
  }

  async with(processes: number): Promise<ServerProcess> {
    if (this.#server !== undefined && this.has(processes)) return this.#server;
    await this.stop();
    const limits = { POOL_MAX_QUEUE_PER_WORKSPACE: '1000', LOG_LEVEL: 'error', SHUTDOWN_NOTICE_MS: '0' };
    this.#server = await startServer({ HTTP_PROCESSES: String(processes), ...limits });
    this.#processes = processes;
    return this.#server;
  }

  /** Threads and queue are changed as an operator would, without a restart. */
  async set({ processes, threads, queue }: Settings): Promise<ServerProcess> {
    const server = await this.with(processes);
    const response = await fetch(`${server.adminUrl}/pool`, {
      method: 'PATCH',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ minThreads: threads, maxThreads: threads, maxQueue: queue }),
    });
    if (!response.ok) throw new Error(`the pool cannot be resized: ${await response.text()}`);
    return server;
  }

  async stop(): Promise<void> {
    await this.#server?.stop();
    this.#server = undefined;
  }
}

await measure('tune', run);
