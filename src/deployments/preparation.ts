import type { Knex } from 'knex';
import type { Logger } from 'pino';
import { Recent } from '../../workers/recent/index.js';
import { PollLoop } from '../clock/pollLoop.js';
import { within } from '../clock/timers.js';
import type { Programs } from '../decisions/programs/programs.js';
import { Problem } from '../errors.js';
import type { Pool } from '../admission/pool/pool.js';
import { Fields, id, plain } from '../storage/columns.js';

/** How many routings are prepared when the process starts: the newest. */
const atStart = 100;
/** Milliseconds for that before the process serves; the rest follows while it serves. */
const startBudgetMs = 2000;
const perPoll = 100;

/**
 * Milliseconds without preparation for a workspace after one of its programs took so long that its thread had to be
 * ended.
 */
const pauseMs = 60_000;
/** Most such programs and workspaces that are remembered. */
const maxLeftAlone = 1000;

/** A version that some pair was routed to. */
interface Routed {
  readonly seq: number;
  readonly workspaceId: string;
  readonly decisionId: string;
  readonly version: number;
}

/**
 * Compiles deployed programs on worker threads before they are executed, in every process, wherever they were deployed.
 */
export interface PreparationOfDeployed {
  /** Resolves when the newest are compiled, or after a few seconds. Never rejects: what is not prepared is compiled by its first run. */
  start(): Promise<void>;
  stop(): void;
}

export function createPreparation({
  database,
  programs,
  pool,
  log,
  pollMs,
}: {
  readonly database: Knex;
  readonly programs: Programs;
  readonly pool: Pick<Pool, 'prepare'>;
  readonly log: Pick<Logger, 'warn'>;
  /** Between looks for what other processes deployed, in milliseconds. */
  readonly pollMs: number;
}): PreparationOfDeployed {
  /** The newest routing seen; undefined before the first look. */
  let last: number | undefined;
  /** Until when workspaces are paused; and programs that ended a thread, which are never prepared again. */
  const leftAlone = new Recent<number>({ maxCount: maxLeftAlone });
  const isLeftAlone = (id: string): boolean => performance.now() < (leftAlone.get(id) ?? 0);

  async function prepare(workspaceId: string, programId: string): Promise<void> {
    if (isLeftAlone(workspaceId) || isLeftAlone(programId)) return;
    if (await pool.prepare({ programId, workspaceId, bundle: await programs.bundle(workspaceId, programId) })) return;
    leftAlone.set(workspaceId, performance.now() + pauseMs, 1, workspaceId);
    leftAlone.set(programId, Infinity, 1, workspaceId);
  }

  async function prepareAll(routed: readonly Routed[]): Promise<void> {
    const unique = new Map(routed.map((each) => [`${each.workspaceId}/${each.decisionId}/${each.version}`, each]));
    for (const { workspaceId, decisionId, version } of unique.values()) {
      if (loop.stopping.aborted) return;
      try {
        const { programId } = await programs.programOf(workspaceId, decisionId, version);
        await prepare(workspaceId, programId);
      } catch (error) {
        // MySQL is unreachable, the decision was just removed, or it is too large: its runs report that.
        if (!(error instanceof Problem) || error.code !== 'model_too_large') continue;
        log.warn({ workspaceId, decisionId, version, reason: error.message }, 'a deployed decision is not prepared');
      }
    }
  }

  /** Prepares what was routed since the last look. */
  async function look(): Promise<void> {
    const routed = last === undefined ? await readNewest(database) : await readSince(database, last);
    last = Math.max(last ?? 0, ...routed.map(({ seq }) => seq));
    await prepareAll(routed);
  }
  // Where MySQL is unreachable, the next look begins at the same routing.
  const nothing = (): void => undefined;
  const loop = new PollLoop({ pollMs, round: () => look().then(() => false), failed: nothing });

  return {
    async start() {
      const first = look()
        .catch(nothing)
        .then(() => loop.start());
      await within(startBudgetMs, first, nothing);
    },
    stop() {
      void loop.stop();
    },
  };
}

const fields = new Fields<Routed>({
  seq: plain('seq'),
  workspaceId: id('workspace_id'),
  decisionId: id('decision_id'),
  version: plain('version'),
});

async function readNewest(database: Knex): Promise<Routed[]> {
  const rows = (await database('routings').select(fields.names).orderBy('seq', 'desc').limit(atStart)) as object[];
  return rows.map(fields.map);
}

/** May miss a transaction that commits after one with a higher `seq`; its program is then compiled by its first run. */
async function readSince(database: Knex, seq: number): Promise<Routed[]> {
  const rows = (await database('routings')
    .select(fields.names)
    .where('seq', '>', seq)
    .orderBy('seq')
    .limit(perPoll)) as object[];
  return rows.map(fields.map);
}
