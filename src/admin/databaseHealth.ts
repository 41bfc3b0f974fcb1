import type { Knex } from 'knex';
import type { Logger } from 'pino';
import { within } from '../clock/timers.js';
import { requireKeys, WrongEncryptionKey } from '../encryption/requireKeys.js';
import { countNotOpening, type SealingLease } from '../encryption/sealingLease.js';
import { PollLoop } from '../clock/pollLoop.js';
import { isConnectionLoss, isWriteRefused } from '../storage/mysqlErrors.js';
import type { Encryption } from '../storage/encryption.js';
import { Outage } from '../storage/outage.js';
import { requireSchema, UnreleasedSchema } from '../storage/refuseUnreleased.js';

/** What readiness says of MySQL. */
export interface DatabaseState {
  /** `unfit`: it answers, and the service cannot work with it. Unknown while no server process answers. */
  readonly mysql: 'ok' | 'unreachable' | 'unfit' | 'unknown';
  /** Why it is unfit. */
  readonly fault?: string;
}

export interface DatabaseHealth {
  /**
   * Starts the lease, and logs what is wrong with MySQL, with its clock, and with other servers' keys. Rejects with
   * `UnreleasedSchema` and `WrongEncryptionKey`; a MySQL that is away or unfit does not keep a server from starting, since it may
   * be mended meanwhile.
   */
  start(): Promise<void>;
  /** Never rejects. */
  read(): Promise<DatabaseState>;
  stop(): Promise<void>;
}

/** Milliseconds after which MySQL counts as unreachable. */
const answerMs = 1000;
/** MySQL counts as reachable for this many milliseconds after its last answer, though the next is late: it may only be busy. */
const slowMs = 5000;
/** How often MySQL is asked although nobody asks for readiness, in milliseconds, so that the log tells of an outage. */
const lookMs = 1000;
/** The least `max_allowed_packet`: the longest statements write a model of the largest size, or a group of records. */
const minPacketBytes = 16 * 1024 * 1024;
const maxSkewMs = 1000;

interface Dependencies {
  readonly database: Knex;
  readonly encryption: Encryption;
  readonly lease: Pick<SealingLease, 'start' | 'failure'>;
  readonly log: Pick<Logger, 'warn' | 'error' | 'info'>;
}

export function createDatabaseHealth(dependencies: Dependencies): DatabaseHealth {
  const { database, lease, log } = dependencies;
  let isOurs = false;
  let logged: string | undefined;
  let answeredAt = -Infinity;
  const outage = new Outage({ log, name: 'MySQL', consequence: 'what needs it is answered 503 or waits' });
  const loop = new PollLoop({ pollMs: lookMs, round: () => read().then(() => false), failed: () => undefined });

  async function findFault(): Promise<string | undefined> {
    if (!isOurs) await requireOurs();
    const fault = await faultOfSettings(database);
    if (fault !== undefined) return fault;
    const failure = await lease.failure();
    if (isConnectionLoss(failure) && !isWriteRefused(failure)) throw failure;
    return faultOfWrite(failure);
  }

  /** Refuses a database with another schema or with other encryption keys before this process writes anything to it. */
  async function requireOurs(): Promise<void> {
    await requireSchema(database);
    await requireKeys(dependencies);
    isOurs = true;
  }

  async function read(): Promise<DatabaseState> {
    const found = findFault().then(stateOf, stateAfter);
    void found.then(({ mysql }) => {
      if (mysql === 'ok') answeredAt = performance.now();
    });
    const { reason, ...state } = await within(answerMs, found, (): Found =>
      performance.now() - answeredAt < slowMs
        ? { mysql: 'ok' }
        : { mysql: 'unreachable', reason: 'it does not answer' },
    );
    outage.note(state.mysql !== 'unreachable', reason);
    if (state.fault !== undefined && state.fault !== logged) log.error({ fault: state.fault }, 'MySQL cannot be used');
    if (state.mysql === 'ok' && logged !== undefined) log.info('MySQL can be used again');
    if (state.mysql !== 'unreachable') logged = state.fault;
    return state;
  }

  return {
    read,
    async start() {
      try {
        await requireOurs();
        await warnOfClock(database, log);
        await warnOfKeys(dependencies);
      } catch (error) {
        // Any other fault is told, and logged, by `read`.
        if (error instanceof WrongEncryptionKey || error instanceof UnreleasedSchema) throw error;
      }
      await lease.start();
      await read();
      loop.start();
    },
    async stop() {
      outage.close();
      await loop.stop();
    },
  };
}

/** The state of MySQL; where it is unreachable, with the reason for the log. */
type Found = DatabaseState & { readonly reason?: string };

const stateOf = (fault: string | undefined): Found =>
  fault === undefined ? { mysql: 'ok' } : { mysql: 'unfit', fault };

const stateAfter = (error: unknown): Found =>
  isConnectionLoss(error)
    ? { mysql: 'unreachable', reason: messageOf(error) }
    : { mysql: 'unfit', fault: messageOf(error) };

/** Settings with which single statements fail, although a short one succeeds. */
async function faultOfSettings(database: Knex): Promise<string | undefined> {
  // Not `SELECT @@…`: not every server has each of them.
  const [rows] = (await database.raw(
    `SHOW GLOBAL VARIABLES WHERE Variable_name IN ('max_allowed_packet', 'log_bin', 'binlog_format')`,
  )) as [{ Variable_name: string; Value: string }[]];
  const settings = new Map(rows.map(({ Variable_name: name, Value: value }) => [name, value]));
  const packetBytes = Number(settings.get('max_allowed_packet'));
  if (packetBytes < minPacketBytes) {
    return `max_allowed_packet is ${packetBytes}, and must be at least ${minPacketBytes}`;
  }
  if (settings.get('log_bin') === 'ON' && settings.get('binlog_format') === 'STATEMENT') {
    return 'binlog_format is STATEMENT, with which InnoDB refuses writes at READ COMMITTED; it must be ROW or MIXED';
  }
  return undefined;
}

/** MySQL's own reason, such as that it is read-only or its disk is full. */
const faultOfWrite = (failure: unknown): string | undefined =>
  failure === undefined ? undefined : `it cannot be written: ${messageOf(failure)}`;

/** The error's message, without the SQL statement that knex puts before MySQL's own text. */
function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return 'sqlMessage' in error && typeof error.sqlMessage === 'string' ? error.sqlMessage : error.message;
}

/** The clocks must agree: tokens expire by this process's clock, leases by MySQL's. */
async function warnOfClock(database: Knex, log: Dependencies['log']): Promise<void> {
  const before = Date.now();
  const [[row]] = (await database.raw('SELECT UTC_TIMESTAMP(3) AS now')) as [[{ now: Date }]];
  const skewMs = Math.round((before + Date.now()) / 2 - row.now.getTime());
  if (Math.abs(skewMs) <= maxSkewMs) return;
  const differs = `${Math.abs(skewMs) / 1000} s ${skewMs > 0 ? 'ahead of' : 'behind'}`;
  log.warn({ skewMs }, `the clock of this server is ${differs} MySQL's: synchronise both, or tokens are refused`);
}

async function warnOfKeys({ database, encryption, log }: Dependencies): Promise<void> {
  const processes = await countNotOpening(database, encryption);
  if (processes === 0) return;
  log.warn(
    { processes },
    'other server processes cannot decrypt what this one encrypts: name its ENCRYPTION_KEY in their ENCRYPTION_KEYS_PREVIOUS',
  );
}
