import { settings } from '../../config.js';
import { settingsFor, type EnvironmentVariables } from '../../cli/settings.js';
import type { PoolSettings, PoolStatus } from '../../pool/status.js';

/** What `GET /pool` says; of several server processes it also has each one's. */
export interface PoolReport extends PoolStatus {
  readonly processes?: readonly (PoolStatus & { readonly pid: number })[];
}

/** The address of the admin port: `ADMIN_HOST` and `ADMIN_PORT`, or those of a running `make run`, or the defaults. */
export function adminUrl(environment: EnvironmentVariables, directory: string): string {
  const running = runningHere(directory);
  const known = (variable: string): string | undefined =>
    [environment[variable], running[variable]].find((text) => text !== undefined && text !== '');
  const host = known('ADMIN_HOST') ?? settings.adminHost.fallback;
  const port = known('ADMIN_PORT') ?? String(settings.adminPort.fallback);
  return `http://${host === '0.0.0.0' ? '127.0.0.1' : host}:${port}`;
}

function runningHere(directory: string): EnvironmentVariables {
  try {
    return settingsFor({}, directory);
  } catch {
    // Nothing was started by make run here.
    return {};
  }
}

/** Asks for the pool, or changes it. Throws with a sentence for the operator. */
export async function askPool(url: string, changes?: Partial<PoolSettings>): Promise<PoolReport> {
  const response = await fetch(`${url}/pool`, {
    ...(changes === undefined
      ? {}
      : { method: 'PATCH', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(changes) }),
    signal: AbortSignal.timeout(5000),
  }).catch(() => {
    throw new Error(`Nothing answers at ${url}. Is the server running, and ADMIN_PORT its admin port?`);
  });
  const body = (await response.json()) as PoolReport & { detail?: string };
  if (!response.ok) throw new Error(body.detail ?? `${url}/pool answered ${response.status}`);
  return body;
}
