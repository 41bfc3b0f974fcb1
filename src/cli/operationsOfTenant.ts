import { NotSignedIn, UsageError } from './failures.js';
import { demoSource, type ConnectionOptions } from './remote/connection.js';
import type { Operations, Service } from './remote/service.js';
import type { Session } from './session.js';

/**
 * Where a command works that tenants have by HTTP, and operators on the database. Flags come first, then DATABASE_URL, then
 * who is signed in, then the database of a running `make run`.
 * @param tenant that an operator has named
 * @throws UsageError for a tenant by HTTP, where it is the client's own
 */
export async function operationsOfTenant(
  session: Session,
  connection: ConnectionOptions,
  tenant: string | undefined,
): Promise<Operations> {
  const isNamed = Object.keys(connection).length > 0;
  const hasDatabase = (session.environment['DATABASE_URL'] ?? '') !== '';
  const service = isNamed ? session.service(connection) : hasDatabase ? undefined : signedIn(session);
  // What operators run in this process is much of the server.
  if (service === undefined) return (await import('./operator.js')).createOperations(session, tenant);
  if (tenant === undefined) return service;
  throw new UsageError("by HTTP the tenant is the client's own: leave out --tenant, or set DATABASE_URL.");
}

function signedIn(session: Session): Service | undefined {
  try {
    const service = session.service({});
    return service.connection.source === demoSource ? undefined : service;
  } catch (error) {
    if (error instanceof NotSignedIn) return undefined;
    throw error;
  }
}
