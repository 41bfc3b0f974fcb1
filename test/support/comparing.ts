import { PoolCounts } from '../../src/admin/metrics/pool.js';
import { testPrograms } from './programs.js';
import { createConfigurations } from '../../src/environments/configurations.js';
import { ByteBudget } from '../../src/admission/byteBudget.js';
import { Pool } from '../../src/admission/pool/pool.js';
import { findReplayOf, type ReplayJob } from '../../src/replays/progress.store.js';
import type { CreateReplay } from '../../src/replays/replays.schema.js';
import { createReplay } from '../../src/replays/replays.service.js';
import { replays, type StoredReplay } from '../../src/replays/replays.store.js';
import type { LiveExecution } from '../../src/runs/liveExecution.js';
import { createShadow } from '../../src/replays/shadows.service.js';
import { idToBytes, newId } from '../../src/storage/ids.js';
import type { ModelAnswers, ModelTask } from '../../workers/models/index.js';
import { defaultRunLimits, type RunStopped } from '../../workers/protocol.js';
import { buildDeployed, recordOf, testContext, type Deployed } from './deployed.js';
import type { Store } from './factories.js';
import { claimed } from './jobs.js';
import type { ShownReport } from './replays.js';
import { writeRecord } from './records.js';

const config = {
  poolMinThreads: 1,
  poolMaxThreads: 1,
  poolMaxQueue: 100,
  poolMaxQueuePerWorkspace: 100,
  poolMaxWaitMs: 600_000,
  runTimeoutMs: 60_000,
  runMaxHeapMb: 64,
  shutdownTimeoutMs: 20_000,
};

/** A pool whose threads die of certain facts, that tells what it was given, and holds the pieces of a workspace back. */
export class WatchedPool extends Pool {
  /** How many cases each piece had, in their order. */
  readonly pieces: number[] = [];
  /** By workspace, until when its pieces wait. */
  readonly #held = new Map<string, Promise<void>>();

  constructor() {
    super({
      config,
      limits: defaultRunLimits,
      log: { error: () => undefined },
      observer: new PoolCounts(),
      worker: new URL('workers/comparing.js', import.meta.url),
    });
  }

  /** Its pieces wait until what is given is called. */
  hold(workspaceId: string): () => void {
    let letGo = (): void => undefined;
    this.#held.set(workspaceId, new Promise((resolve) => (letGo = resolve)));
    return letGo;
  }

  override async background<K extends ModelTask['kind']>(
    task: Extract<ModelTask, { kind: K }> & { readonly workspaceId: string },
  ): Promise<ModelAnswers[K] | RunStopped> {
    const given: ModelTask = task;
    const isFirst = given.kind === 'compare' && given.programs.every(({ bundle }) => bundle === undefined);
    if (isFirst) {
      this.pieces.push(given.cases.length);
      await this.#held.get(task.workspaceId);
    }
    return super.background<K>(task);
  }
}

/** What replays and shadows are made of, without a server. */
export class Comparing {
  readonly store: Store;
  readonly pool = new WatchedPool();
  readonly budget = new ByteBudget(256 * 1024 * 1024);
  readonly warnings: unknown[] = [];

  constructor(store: Store) {
    this.store = store;
  }

  get parts() {
    const { database, encryption } = this.store;
    return {
      database,
      programs: testPrograms(database),
      configurations: createConfigurations({ database, cache: null, encryption, privateHosts: [], maxAgeMs: 900 }),
      pool: this.pool,
      budget: this.budget,
      log: { warn: (line: unknown) => void this.warnings.push(line), error: () => undefined },
    };
  }

  /** A workspace in which a decision that doubles `x` is deployed, with a recorded execution of each of the facts. */
  async recorded(facts: readonly object[], completed = true): Promise<Deployed> {
    const deployed = await buildDeployed(this.store);
    await this.store.database('routings').insert({
      workspace_id: idToBytes(deployed.workspaceId),
      environment_id: idToBytes(deployed.environmentId),
      decision_id: idToBytes(deployed.decisionId),
      deployment_id: idToBytes(deployed.deploymentId),
      version: 1,
      created_at: new Date(),
    });
    for (const fact of facts) {
      const { x } = fact as { x: number };
      const outcome = completed
        ? ({ status: 'COMPLETED', result: JSON.stringify({ y: 2 * x }) } as const)
        : ({ status: 'FAILED', result: '{"error":"it failed"}' } as const);
      await writeRecord(this.store.database, recordOf(deployed, { ...outcome, fact: JSON.stringify(fact) }));
    }
    return deployed;
  }

  /** Starts a replay of what was recorded on the same version; gives its id. */
  async replay(
    { workspaceId, environmentId, decisionId }: Deployed,
    more: Partial<CreateReplay> = {},
  ): Promise<string> {
    const request = { environmentId, decisionId, candidate: { version: 1 }, ...more };
    return (await createReplay(this.store, workspaceId, request)).id;
  }

  async shown({ workspaceId }: Deployed, id: string): Promise<Omit<StoredReplay, 'report'> & { report: ShownReport }> {
    const found = await replays.find(this.store.database, { workspaceId, id });
    if (found === undefined) throw new Error('the replay is gone');
    return { ...found, report: JSON.parse(found.report) as ShownReport };
  }

  /** Makes it due, and claims it. */
  async claimed(id: string): Promise<ReplayJob> {
    const found = await findReplayOf(this.store.database, await claimed(this.store.database, 'replay', id));
    if (found === undefined) throw new Error('the replay is over');
    return found;
  }

  async change(id: string, columns: object): Promise<void> {
    await this.store
      .database('replays')
      .where({ id: idToBytes(id) })
      .update(columns);
  }

  /** Starts a shadow of all executions on the deployed version; gives its id. */
  async shadow({ workspaceId, environmentId, decisionId }: Deployed): Promise<string> {
    const expiresAt = new Date(Date.now() + 3_600_000);
    const request = { environmentId, decisionId, version: 1, sample: 1, expiresAt: expiresAt.toISOString() };
    return (await createShadow(this.store, workspaceId, request)).id;
  }

  /** An execution that has just been recorded. @param length of its fact, at least */
  live({ workspaceId, environmentId, decisionId, deploymentId }: Deployed, length = 0): LiveExecution {
    const ref = { workspaceId, environmentId, decisionId, deploymentId };
    const fact = JSON.stringify({ x: 1, filled: ' '.repeat(length) });
    return {
      ...ref,
      id: newId(),
      reference: null,
      engineUs: 1,
      createdAt: new Date(),
      version: 1,
      status: 'COMPLETED',
      fact,
      result: '{"y":2}',
      context: testContext,
    };
  }

  async close(): Promise<void> {
    await this.pool.drain(0);
  }
}
