import type { IncomingHttpHeaders } from 'node:http';
import { pino } from 'pino';
import { Webhook } from 'standardwebhooks';
import type { UpdateInquiry } from '../../src/inquiries/inquiries.schema.js';
import { patching } from '../../src/inquiries/change.js';
import { createUpdateInquiry } from '../../src/inquiries/update.js';
import { setCallback } from '../../src/outbox/callbacks.js';
import { consoleBelow } from '../../src/config/addresses.js';
import { createDispatcher } from '../../src/outbox/dispatcher.js';
import { listMessages, type MessageSummary, type State } from '../../src/outbox/admin.js';
import { enqueue } from '../../src/outbox/outbox.store.js';
import { createTransports } from '../../src/outbox/transports.js';
import { mysqlErrno, mysqlErrors } from '../../src/storage/mysqlErrors.js';
import { openStore, type Store } from './factories.js';
import { testConfig } from './settings.js';
import type { Seen } from './target-server.js';

/** An event as a tenant's system reads it. */
export interface TestEvent {
  readonly type: string;
  readonly timestamp: string;
  readonly data: { readonly inquiryId: string; readonly externalId: string | null } & Readonly<Record<string, unknown>>;
}

/** Gives the tenant a callback; returns its signing secret. */
export async function buildCallback(store: Store, tenantId: string, url: string): Promise<string> {
  const { secret } = await setCallback(store, { owner: { tenantId }, url }, [new URL(url).host]);
  if (secret === undefined) throw new Error('the tenant has a callback already');
  return secret;
}

/** Checks a delivery as the receivers of Standard Webhooks do, and gives the event. Throws for a wrong signature. */
export function verified(secret: string, { headers, body }: Pick<Seen, 'headers' | 'body'>): TestEvent {
  return new Webhook(secret).verify(body, onlyTexts(headers)) as TestEvent;
}

const onlyTexts = (headers: IncomingHttpHeaders): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );

/** The tenant's messages, oldest first. */
export async function messagesOf(store: Store, tenantId: string, state?: State): Promise<MessageSummary[]> {
  const found = await listMessages(store.database, { tenantId, state }, { size: 5000, olderThan: undefined });
  return found.reverse();
}

/**
 * The settings of a dispatcher under test: quick, allowed to reach this machine at the given ports, and with long time-outs: on a slow
 * machine a delivery takes its time, and a second one of the same message would be none of the test's doing.
 */
export interface TestDispatcherOptions {
  readonly ports?: readonly number[];
  readonly retryDelaysMs?: readonly number[];
  readonly leaseMs?: number;
  /** Settings as environment variables, such as SMS_GATEWAY_URL. */
  readonly variables?: Readonly<Record<string, string>>;
}

export interface TestDispatcher {
  readonly log: () => string;
  /** How many of its statements MySQL ended for a deadlock. */
  readonly deadlocks: () => number;
  readonly stop: () => Promise<void>;
}

/** A dispatcher with connections of its own, as in a process of its own. It is started. */
export function startDispatcher(options: TestDispatcherOptions = {}): TestDispatcher {
  const { ports = [], retryDelaysMs = [20, 20], leaseMs = 120_000, variables = {} } = options;
  const allow = ports.length === 0 ? {} : { OUTBOUND_ALLOW: ports.map((port) => `127.0.0.1:${port}`).join(',') };
  const config = testConfig({ OUTBOX_TIMEOUT_MS: '60000', ...allow, ...variables });
  const store = openStore();
  let logged = '';
  const log = pino({ level: 'info' }, { write: (line: string) => void (logged += line) });
  const transports = createTransports(config, log);
  const dispatcher = createDispatcher({
    ...store,
    transports,
    log,
    settings: { pollMs: 20, leaseMs, retryDelaysMs, consoleUrl: consoleBelow(config.issuer) },
  });
  dispatcher.start();
  let deadlocks = 0;
  store.database.on(
    'query-error',
    (error: unknown) => void (deadlocks += Number(mysqlErrno(error) === mysqlErrors.deadlock)),
  );
  return {
    log: () => logged,
    deadlocks: () => deadlocks,
    async stop() {
      await dispatcher.stop();
      transports.close();
      await store.close();
    },
  };
}

/** Changes an inquiry as the API does, without a server; its messages wait in the outbox. */
export async function updateAs(store: Store, tenantId: string, id: string, update: UpdateInquiry): Promise<void> {
  const updateInquiry = createUpdateInquiry({ ...store, maxPerMinute: null, wakeOutbox: () => undefined });
  await updateInquiry({ actor: store.actor, ref: { tenantId, id }, change: patching(update) });
}

/** A message for the tenant's own receiver, straight into the outbox; gives nothing back, for its id is made there. */
export async function queueEvent(
  store: Store,
  tenantId: string,
  inquiryId: string,
  bodies: readonly string[],
): Promise<void> {
  await enqueue(
    { connection: store.database, encryption: store.encryption },
    bodies.map((body) => ({ tenantId, inquiryId, content: { channel: 'WEBHOOK', body } })),
  );
}
