import { Writable } from 'node:stream';
import { expose } from '../../src/admin/metrics/snapshot.js';
import type { PoolsStatus } from '../../src/admin/administered.js';
import { createAdminApp } from '../../src/admin/server.js';
import { compose } from '../../src/compose.js';
import { listen } from '../../src/http/server/server.js';
import { createLog } from '../../src/log.js';
import { openTracing } from '../../src/tracing/tracing.js';
import { call } from './http.js';
import { isSharing, share } from './shared.js';
import { longTimeouts, testConfig } from './settings.js';

/** A real server in this process, on free ports, with real MySQL, Redis and worker threads. */
export interface TestApp {
  readonly baseUrl: string;
  readonly adminUrl: string;
  /** All that it has logged so far. */
  readonly log: () => string;
  stop(): Promise<void>;
}

/** @param overrides settings in place of the test environment's and of `longTimeouts` */
export async function bootApp(overrides: Readonly<Record<string, string>> = {}): Promise<TestApp> {
  const config = testConfig({ ...longTimeouts, ...overrides });
  let logged = '';
  const destination = new Writable({
    write(chunk: Buffer, _encoding, done) {
      logged += chunk.toString();
      done();
    },
  });
  const log = createLog(config.logLevel, destination);
  const service = compose(config, log, await openTracing(config, log));
  await service.ready();
  const api = await listen(service.app, { host: '127.0.0.1', port: 0, log });
  const admin = await listen(createAdminApp(service.administered, config), { host: '127.0.0.1', port: 0, log });
  service.start();
  return {
    baseUrl: `http://127.0.0.1:${api.port}`,
    adminUrl: `http://127.0.0.1:${admin.port}`,
    log: () => logged,
    async stop() {
      const metrics = await service.administered.metrics();
      service.stopAccepting();
      const withinMs = config.shutdownTimeoutMs / 2;
      await Promise.all([api.close(withinMs), admin.close(withinMs)]);
      await service.close();
      // Whatever a test is about, no analysis of its server may have claimed what a run did not show.
      const samples = (await expose(metrics)).split('\n');
      const claimed = samples.find((line) => /^verdict_analysis_unconfirmed_total (?!0$)/.test(line));
      if (claimed !== undefined) throw new Error(claimed);
    },
  };
}

/** For all files that ask for no settings: tests are apart by their tenants. */
const shared = share(bootApp, (app) => app.stop());

/** The server of a `describe`: it is there from the first test to the last one. @param overrides as `bootApp` has them */
export function useApp(overrides: Readonly<Record<string, string>> = {}): TestApp {
  return isSharing && Object.keys(overrides).length === 0 ? useShared() : useOwnApp(overrides);
}

/**
 * The same, always booted anew: for tests that stop their server, set its limits, or read what it counts and logs.
 * @param overrides gives the settings where these follow from what is begun before
 */
export function useOwnApp(overrides: Readonly<Record<string, string>> | (() => Record<string, string>) = {}): TestApp {
  const app = {} as TestApp;
  before(async () => {
    Object.assign(app, await bootApp(typeof overrides === 'function' ? overrides() : overrides));
  });
  after(() => app.stop());
  return app;
}

function useShared(): TestApp {
  shared.want();
  const app = {} as TestApp;
  before(async () => {
    const running = await shared.get();
    const from = running.log().length;
    Object.assign(app, running, { log: () => running.log().slice(from) });
  });
  return app;
}

/** What the admin port says of the threads and the bytes of all processes. */
export const poolOf = async ({ adminUrl }: Pick<TestApp, 'adminUrl'>): Promise<PoolsStatus> =>
  (await call(`${adminUrl}/pool`)).body as PoolsStatus;

/** Gives the runs that come another time limit: a short one where a run is to pass it, since the others need their time. */
export async function limitRuns({ adminUrl }: Pick<TestApp, 'adminUrl'>, runTimeoutMs: number): Promise<void> {
  const { status, text } = await call(`${adminUrl}/pool`, { method: 'PATCH', body: { runTimeoutMs } });
  if (status !== 200) throw new Error(text);
}
