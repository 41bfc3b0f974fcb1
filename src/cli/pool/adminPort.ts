import { request } from 'undici';
import { settings } from '../../config/config.js';
import { reachedAt } from '../../config/addresses.js';
import { settingsFor, type EnvironmentVariables } from '../settings.js';
import type { PoolSettings } from '../../admission/pool/settings.js';
import type { CapacityStatus } from '../../admin/administered.js';

/** What `make pool-resize` can be given, and the setting of the pool that each is. */
export const poolVariables = {
  MIN: 'minThreads',
  MAX: 'maxThreads',
  QUEUE: 'maxQueue',
  TIMEOUT_MS: 'runTimeoutMs',
} as const;

/** What `GET /pool` says; of several server processes it also has each one's. */
export interface PoolReport extends CapacityStatus {
  readonly processes?: readonly (CapacityStatus & { readonly pid: number })[];
}

/**
 * The address of the admin port: `ADMIN_HOST` and `ADMIN_PORT`, or those of a running `make run`, or the defaults.
 * @param project as in `settingsFor`
 */
export function adminUrl(environment: EnvironmentVariables, project?: string): string {
  const running = runningIn(project);
  const known = (variable: string): string | undefined =>
    [environment[variable], running[variable]].find((text) => text !== undefined && text !== '');
  const host = known('ADMIN_HOST') ?? String(settings.adminHost.fallback);
  const port = known('ADMIN_PORT') ?? String(settings.adminPort.fallback);
  return reachedAt(host, port);
}

function runningIn(project: string | undefined): EnvironmentVariables {
  try {
    return settingsFor({}, project);
  } catch {
    // Nothing was started by make run here.
    return {};
  }
}

/** Asks for the pool, or changes it. Throws with a sentence that says what to do. */
export async function askPool(url: string, changes?: Partial<PoolSettings>): Promise<PoolReport> {
  // Node's own fetch may never settle when the other side closes at once.
  const response = await request(`${url}/pool`, {
    ...(changes === undefined
      ? {}
      : { method: 'PATCH', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(changes) }),
    signal: AbortSignal.timeout(5000),
  }).catch(() => {
    throw new Error(`Nothing answers at ${url}. ${whatToDo}`);
  });
  const body = (await response.body.json().catch(() => undefined)) as Answer | undefined;
  if (response.statusCode === 200 && body !== undefined) return body;
  if (response.statusCode !== 400) throw new Error(`${url} is not the admin port of a server. ${whatToDo}`);
  throw new Error(body?.errors?.map(inMakesWords).join('\n') ?? body?.detail);
}

type Answer = PoolReport & { detail?: string; errors?: readonly { pointer: string; message: string }[] };

const whatToDo = 'Start one with `make run`, or name the admin port of one that runs: ADMIN_PORT=3001';

/** A violation, by the names of the variables that make takes. */
function inMakesWords({ pointer, message }: { pointer: string; message: string }): string {
  const told = `${pointer.slice(1)} ${message}.`;
  return Object.entries(poolVariables).reduce((words, [variable, name]) => words.replaceAll(name, variable), told);
}
