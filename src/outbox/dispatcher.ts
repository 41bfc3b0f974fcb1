import { setMaxListeners } from 'node:events';
import type { Knex } from 'knex';
import type { Logger } from 'pino';
import { after, pause } from '../clock/timers.js';
import { settleJob, type Job } from '../jobs/jobs.store.js';
import { PollLoop } from '../clock/pollLoop.js';
import { ownerOverKinds, JobTurns } from '../jobs/turns.js';
import type { Encryption } from '../storage/encryption.js';
import type { Attempt } from './attempt.js';
import { openCallback } from './callbacks.store.js';
import { deliver, type Transports } from './deliver.js';
import { Claims } from './claims.js';
import { channels, enqueue, purgeEnded, readMessages, type Claimed } from './outbox.store.js';
import { retryDelayMs } from './schedule.js';
import { recordOutcomes, type Outcome, type FinishedMessage } from './recordOutcomes.js';
import type { Callback } from './transports/webhook.js';
import { hasEvents, takeEvents } from '../events/events.store.js';
import type { NewEvent } from '../events/kinds.js';
import { linkedData } from '../events/links.js';
import { inTransaction } from '../storage/database.js';

interface DispatcherSettings {
  /** How often to look for messages that others queued or that have become due, in milliseconds. */
  readonly pollMs: number;
  /** How long a claim's lease lasts; longer than any attempt, so that only a dead process loses one. */
  readonly leaseMs: number;
  readonly retryDelaysMs: readonly number[];
  /** What links of events begin with. */
  readonly consoleUrl: string;
}

interface Dependencies {
  readonly database: Knex;
  readonly encryption: Encryption;
  readonly transports: Transports;
  readonly log: Pick<Logger, 'warn'>;
  readonly settings: DispatcherSettings;
}

/** Most queues of one round: outcomes are written between rounds, and must not wait long. */
const queuesPerRound = 50;
const outcomesPerRound = 200;
/**
 * On shutdown: milliseconds that sends under way have to end by themselves, and then outcomes whose inquiries are
 * locked.
 */
const graceMs = 2000;
const heldPauseMs = 50;
const purgeEveryMs = 60 * 60_000;
/** How long a message that was sent or replaced is kept, in milliseconds. */
const keptMs = 7 * 24 * 60 * 60_000;

/**
 * Sends what stands in the outbox; several processes may share it. When it stops, it claims nothing more, gives sends that are
 * under way a grace period, aborts the rest, and records the outcomes.
 */
export function createDispatcher(dependencies: Dependencies): PollLoop {
  const { database, encryption, log, settings } = dependencies;
  const { retryDelaysMs } = settings;
  const claims = new Claims();
  const turns = new JobTurns(database, channels, ownerOverKinds);
  const finished: FinishedMessage[] = [];
  const sending = new Set<Promise<void>>();
  const ending = new AbortController();
  // Every send under way listens to it, so there is no limit of listeners.
  setMaxListeners(0, ending.signal);
  let purgedAt = -purgeEveryMs;
  const loop = new PollLoop({
    pollMs: settings.pollMs,
    round,
    // Claimed messages stay this process's until their lease ends; outcomes are written when the database is back.
    failed: (error) => log.warn({ err: error }, 'the outbox cannot be worked on right now'),
    ended: finishAll,
  });
  return loop;

  async function send(message: Claimed, callback: Callback | Error | undefined): Promise<void> {
    const started = performance.now();
    const attempt = await deliver({ ...dependencies, callbackOf }, { message, callback }, ending.signal);
    const ms = performance.now() - started;
    claims.answered(message, { reached: attempt.kind !== 'failed', ms });
    turns.charge(message, ms);
    finish(message, outcomeOf(message, attempt));
  }

  function finish(message: Claimed, outcome: Outcome): void {
    finished.push({ message, outcome });
    loop.wake();
    if (outcome.kind === 'delivered' || outcome.kind === 'logged' || outcome.kind === 'replaced') return;
    const { id, tenantId, channel, attempts } = message;
    log.warn({ id, tenantId, channel, attempts, outcome }, 'message was not delivered');
  }

  function outcomeOf(message: Claimed, attempt: Attempt): Outcome {
    if (attempt.kind === 'delivered' || attempt.kind === 'logged') return { kind: attempt.kind };
    const { error } = attempt;
    if (attempt.kind === 'refused') return { kind: 'dead', error, reason: 'refused' };
    if (ending.signal.aborted) return { kind: 'interrupted', error };
    const { retryAfterMs } = attempt;
    const delayMs = retryDelayMs(retryDelaysMs, message.attempts, { retryAfterMs });
    return delayMs === undefined ? { kind: 'dead', error, reason: 'undeliverable' } : { kind: 'later', error, delayMs };
  }

  function callbackOf(workspaceId: string): Promise<Callback | undefined> {
    return openCallback({ connection: database, encryption }, { workspaceId });
  }

  /** A callback that cannot be opened is an Error: its own messages fail and are tried again, and those of other tenants go on. */
  async function readCallback(tenantId: string): Promise<Callback | Error | undefined> {
    try {
      return await openCallback({ connection: database, encryption }, { tenantId });
    } catch {
      return new Error('callback unreadable');
    }
  }

  async function sendAll(jobs: readonly Job[]): Promise<void> {
    const [first] = jobs;
    if (first === undefined) return;
    const messages = await readMessages(database, jobs);
    const found = new Set(messages.map(({ id }) => id));
    for (const job of jobs) if (!found.has(job.id)) await settleJob(database, job, { kind: 'over' });
    const callback = first.kind === 'WEBHOOK' ? await readCallback(first.tenantId) : undefined;
    for (const message of messages) {
      claims.claimed(message);
      if (message.isReplaced) {
        finish(message, { kind: 'replaced' });
        continue;
      }
      if (message.attempts > retryDelaysMs.length + 1) {
        // The last attempt has no result: its process died, perhaps because of this message.
        finish(message, { kind: 'dead', error: 'no result of the last attempt', reason: 'undeliverable' });
        continue;
      }
      const sent = send(message, callback).finally(() => sending.delete(sent));
      sending.add(sent);
    }
  }

  /** Writes outcomes. One whose inquiry is locked goes to the end of the list. False when nothing was written. */
  async function writeOutcomes(): Promise<boolean> {
    const batch = finished.slice(0, outcomesPerRound);
    if (batch.length === 0) return false;
    const { queued, held } = await recordOutcomes(dependencies, batch, settings.leaseMs);
    finished.splice(0, batch.length);
    const unwritten = new Set(held.map(({ message }) => message));
    for (const { message } of batch) if (!unwritten.has(message)) claims.recorded(message);
    const isWritten = held.length < batch.length;
    if (queued > 0 || (isWritten && finished.length > 0)) loop.wake();
    finished.push(...held);
    return isWritten;
  }

  async function round(): Promise<boolean> {
    await writeOutcomes();
    if ((await relayEvents(database, encryption, settings.consoleUrl)) > 0) loop.wake();
    let taken = 0;
    while (!loop.stopping.aborted && taken < queuesPerRound) {
      const jobs = await turns.claim({ leaseMs: settings.leaseMs, room: (queue) => claims.room(queue) });
      if (jobs.length === 0) break;
      await sendAll(jobs);
      taken++;
    }
    await purge();
    return taken === queuesPerRound;
  }

  async function purge(): Promise<void> {
    if (performance.now() - purgedAt < purgeEveryMs) return;
    const deleted = await purgeEnded(database, new Date(Date.now() - keptMs));
    if (deleted === 0) purgedAt = performance.now();
  }

  async function finishAll(): Promise<void> {
    const cancel = after(graceMs, () => ending.abort());
    await Promise.all(sending);
    cancel();
    try {
      await writeAllOutcomes();
    } catch (error) {
      log.warn({ err: error }, 'outcomes could not be written; their messages are sent again');
    }
  }

  async function writeAllOutcomes(): Promise<void> {
    const limit = performance.now() + graceMs;
    while (finished.length > 0) {
      if (await writeOutcomes()) continue;
      if (performance.now() > limit) throw new Error('others hold their inquiries');
      await pause(heldPauseMs);
    }
  }
}

/** Events of workspaces that are moved to the outbox in one transaction. */
const eventsAtOnce = 100;

/**
 * Moves events of workspaces to the outbox, which seals them as its messages. Resolves with the number of events.
 * @param consoleUrl where the console is, for their links
 */
async function relayEvents(database: Knex, encryption: Encryption, consoleUrl: string): Promise<number> {
  // Mostly there is none, and a transaction is three statements for that.
  if (!(await hasEvents(database))) return 0;
  return inTransaction(database, async (transaction) => {
    const events = await takeEvents(transaction, eventsAtOnce);
    const messages = events.flatMap(({ id, tenantId, workspaceId, kind, data, createdAt }) => {
      if (tenantId === null) return [];
      const linked = linkedData(consoleUrl, kind, JSON.parse(data) as NewEvent['data']);
      const body = JSON.stringify({ type: kind, timestamp: createdAt.toISOString(), data: linked });
      return [{ id, tenantId, inquiryId: null, content: { channel: 'EVENT' as const, workspaceId, body } }];
    });
    await enqueue({ connection: transaction, encryption }, messages);
    return events.length;
  });
}
