import { migrate } from '../../db/migrate.js';
import { openStore, type Store } from '../support/factories.js';
import { startServer, type ServerProcess } from '../support/process.js';
import { longTimeouts } from '../support/settings.js';
import { startService, type Service } from '../support/service.js';
import type { Fault } from './trial.js';

/** Servers on a MySQL and a Redis of their own, which can be hurt. */
export interface Hurt {
  readonly mysql: Service;
  readonly redis: Service;
  /** By what is hurt: under faults of Redis a server is not to fail, so it has the time that a slow machine needs. */
  readonly servers: Readonly<Record<'mysql' | 'redis', ServerProcess>>;
  /** Straight to MySQL. */
  readonly store: Store;
  /** By the same way as the servers', for what the command line does. */
  readonly indirect: Store;
  end(): Promise<void>;
}

export async function startHurt(): Promise<Hurt> {
  const [mysql, redis] = await Promise.all([startService('mysql'), startService('redis')]);
  await migrate(mysql.directUrl);
  const settings = { DATABASE_URL: mysql.url, REDIS_URL: redis.url, LOG_LEVEL: 'warn' };
  const store = openStore({ ...settings, DATABASE_URL: mysql.directUrl });
  const indirect = openStore(settings);
  const { POOL_MAX_WAIT_MS, RUN_TIMEOUT_MS } = longTimeouts;
  const hasty = await startServer({ ...settings, POOL_MAX_WAIT_MS, RUN_TIMEOUT_MS });
  // Not by the way that MySQL's faults hurt: as patient as it is, it would learn of those connections' loss in a later trial.
  const patient = await startServer({ ...settings, ...longTimeouts, DATABASE_URL: mysql.directUrl });
  return {
    ...{ mysql, redis, servers: { mysql: hasty, redis: patient }, store, indirect },
    async end() {
      await Promise.all([hasty.stop(), patient.stop()]);
      await Promise.all([store.close(), indirect.close()]);
      await Promise.all([mysql.end(), redis.end()]);
    },
  };
}

export interface ServiceFault extends Fault {
  readonly of: 'mysql' | 'redis';
  /** How long it lasts in `make test`. */
  readonly shortMs: number;
  /** All operations are tried, too: not where connections that nobody gives up stay dead, as those of the command line would. */
  readonly isOfAll: boolean;
}

/** What a MySQL and a Redis suffer, each once. */
export function faultsOf(find: () => Hurt): readonly ServiceFault[] {
  const unavailable = ['dependency_unavailable', 'overloaded'];
  const both = (
    name: (of: string) => string,
    rest: (of: 'mysql' | 'redis') => Pick<ServiceFault, 'begin' | 'end' | 'shortMs'> & Partial<ServiceFault>,
  ) =>
    (['mysql', 'redis'] as const).map((of): ServiceFault => ({
      name: name(of === 'mysql' ? 'MySQL' : 'Redis'),
      of,
      // Without MySQL nothing can be recorded; without Redis everything goes on.
      allowed: of === 'mysql' ? unavailable : [],
      isOfAll: true,
      ...rest(of),
    }));
  const far = (of: 'mysql' | 'redis', name: string, ms: number): ServiceFault => ({
    ...{ name, of, shortMs: 1000, allowed: [], isOfAll: true },
    begin: () => find()[of].proxy.pass(ms / 2),
    end: () => find()[of].proxy.pass(),
  });
  /** MySQL's are longer than a statement may take. */
  const silentMs = (of: 'mysql' | 'redis'): number => (of === 'mysql' ? 3500 : 2000);
  return [
    ...both(
      (of) => `${of} killed (kill -9), started again`,
      (of) => ({ shortMs: 300, begin: () => find()[of].kill(), end: () => find()[of].restart() }),
    ),
    ...both(
      (of) => `${of} stopped (SIGSTOP)`,
      (of) => ({ shortMs: silentMs(of), begin: () => find()[of].freeze(), end: () => find()[of].thaw() }),
    ),
    ...both(
      (of) => `${of} in a black hole`,
      (of) => ({
        shortMs: silentMs(of),
        begin: () => find()[of].proxy.hole(),
        end: () => find()[of].proxy.pass(),
        isOfAll: false,
      }),
    ),
    ...both(
      (of) => `connections to ${of} reset`,
      (of) => ({ shortMs: 300, begin: () => find()[of].proxy.reset(), end: () => find()[of].proxy.reset() }),
    ),
    far('mysql', 'MySQL 150 ms away', 150),
    far('redis', 'Redis 400 ms away', 400),
  ];
}
