import type { Knex } from 'knex';
import { createCache, type Cache } from '../../cache/cache.js';
import { retried } from '../../clock/retried.js';
import { now } from '../../storage/database.js';
import { isConnectionLoss, mysqlErrno, mysqlErrors } from '../../storage/mysqlErrors.js';
import { idToBytes } from '../../storage/ids.js';
import type { ExecutionRecord, RecordedContext, RunContext } from './record.js';
import { engineNumber } from '../../../workers/engine/index.js';

/** By which numbers a record names what many records have in common. */
export interface Codes {
  /** Of its environment, deployment, decision, version and status. */
  readonly route: number;
  /** Of its program, configuration, engine and client. */
  readonly setting: number;
}

/** Numbers that a process remembers, of each kind. */
const remembered = 20_000;
/** Before then a number in use is asked for again, which renews the time when it was used last. */
const rememberedMs = 60 * 60 * 1000;
/** A record may be written so long after its number was asked for: a process's clock may be set, and a request takes its time. */
export const codeSlackMs = 2 * rememberedMs;

/**
 * The numbers of what is executed. The first record that a process makes of something asks MySQL for its number, later ones
 * know it. A route's row names deployment and environment by foreign keys: where they are gone, it rejects with 1452.
 */
export class RecordCodes {
  readonly #routes: Cache<number, ExecutionRecord>;
  readonly #settings: Cache<number, ExecutionRecord>;

  constructor(database: Knex) {
    const bounds = { maxCount: remembered, maxAgeMs: rememberedMs };
    this.#routes = createCache({ ...bounds, load: (_key, record: ExecutionRecord) => takeRoute(database, record) });
    this.#settings = createCache({ ...bounds, load: (_key, record: ExecutionRecord) => takeSetting(database, record) });
  }

  /** Synchronous where they are known. */
  of(record: ExecutionRecord): Codes | Promise<Codes> {
    const route = this.#routes.get(routeKey(record), record);
    const setting = this.#settings.get(settingKey(record), record);
    if (!(route instanceof Promise) && !(setting instanceof Promise)) return { route, setting };
    return Promise.all([route, setting]).then(([ofRoute, ofSetting]) => ({ route: ofRoute, setting: ofSetting }));
  }

  /** To be called where a record was refused because its route is gone. */
  forget(record: ExecutionRecord): void {
    this.#routes.invalidate(routeKey(record));
  }

  clear(): void {
    this.#routes.expireAll();
    this.#settings.expireAll();
  }

  /** Resolves when MySQL is asked for no number any more, and all callers that waited for one have it. */
  async drain(): Promise<void> {
    await Promise.all([this.#routes.settled(), this.#settings.settled()]);
  }
}

const routeKey = ({ workspaceId, deploymentId, environmentId, decisionId, version, status }: ExecutionRecord): string =>
  `${workspaceId}/${deploymentId}${environmentId}${decisionId}${status}${version}`;

const settingKey = ({ workspaceId, context, principal }: ExecutionRecord): string =>
  `${workspaceId}/${context.programId}${context.configurationRevision} ${sharedPrincipal(principal)}`;

/** Clients are few, and their names stand once; users may be as many as executions, and stand in their records. */
export const isShared = (principal: string): boolean => principal.startsWith('client:');
const sharedPrincipal = (principal: string): string => (isShared(principal) ? principal.slice(0, 255) : '');

const takeRoute = (
  database: Knex,
  { workspaceId, environmentId, deploymentId, decisionId, version, status }: ExecutionRecord,
): Promise<number> =>
  take(database, 'execution_routes', {
    workspace_id: idToBytes(workspaceId),
    environment_id: idToBytes(environmentId),
    deployment_id: idToBytes(deploymentId),
    decision_id: idToBytes(decisionId),
    version,
    status,
  });

const takeSetting = (database: Knex, { workspaceId, context, principal }: ExecutionRecord): Promise<number> =>
  take(database, 'execution_settings', {
    workspace_id: idToBytes(workspaceId),
    context: sharedContext(context),
    principal: sharedPrincipal(principal),
  });

/** For how long a number is asked for again while MySQL is away, and how often where locks were in the way. */
const repeatedForMs = 3000;
const pausesMs = { firstMs: 50, lastMs: 50 };
const maxDeadlocks = 3;

/** The number of a row, which is added where it is not there, and is told that it is used now. */
async function take(
  database: Knex,
  table: 'execution_routes' | 'execution_settings',
  columns: Readonly<Record<string, Knex.Value>>,
): Promise<number> {
  const names = Object.keys(columns);
  const statement = `INSERT INTO ${table} (${names.join(', ')}, used_at) VALUES (${names.map(() => '?').join(', ')}, ${now})
     ON DUPLICATE KEY UPDATE code = LAST_INSERT_ID(code), used_at = ${now}`;
  const until = performance.now() + repeatedForMs;
  let deadlocks = 0;
  const passes = (error: unknown): boolean =>
    mysqlErrno(error) === mysqlErrors.deadlock
      ? ++deadlocks < maxDeadlocks
      : isConnectionLoss(error) && performance.now() < until;
  const [added] = await retried(
    async () => (await database.raw(statement, Object.values(columns))) as [{ insertId: number }],
    passes,
    pausesMs,
  );
  return added.insertId;
}

const factRedacted = 1;

/** What many records have in common, 40 bytes, and what is a record's own, 11. */
const shared = { program: 0, revision: 32, engine: 38, end: 40 } as const;
const own = { clock: 0, seed: 6, flags: 10, end: 11 } as const;

/** The part of it that a setting tells, of this engine. */
export function sharedContext({ programId, configurationRevision }: RunContext): Buffer {
  const bytes = Buffer.allocUnsafe(shared.end);
  bytes.write(programId, shared.program, 'hex');
  bytes.writeUIntBE(configurationRevision, shared.revision, 6);
  bytes.writeUInt16BE(engineNumber, shared.engine);
  return bytes;
}

/** The part of it that each record tells. */
export function ownContext(context: RunContext): Buffer {
  const bytes = Buffer.allocUnsafe(own.end);
  bytes.writeUIntBE(context.clock, own.clock, 6);
  bytes.writeInt32BE(context.seed, own.seed);
  bytes[own.flags] = context.factRedacted ? factRedacted : 0;
  return bytes;
}

/** What is stored of it: a setting's part, and the record's own. */
export interface ContextColumns {
  /** Null where somebody has removed the setting: then the record is altered. */
  readonly shared_context: Buffer | null;
  readonly run_context: Buffer;
}

export function contextOf({ shared_context, run_context }: ContextColumns): RecordedContext {
  const common = shared_context ?? Buffer.alloc(shared.end);
  return {
    programId: common.toString('hex', shared.program, shared.revision),
    configurationRevision: common.readUIntBE(shared.revision, 6),
    clock: run_context.readUIntBE(own.clock, 6),
    seed: run_context.readInt32BE(own.seed),
    engine: common.readUInt16BE(shared.engine),
    factRedacted: run_context[own.flags] === factRedacted,
  };
}
