import { NotSignedIn, UsageError } from '../failures.js';
import type { Session } from '../session.js';
import { demoSource, type ConnectionOptions } from './connection.js';
import type { Service } from './service.js';

export interface EitherOptions extends Omit<ConnectionOptions, 'workspace'> {
  readonly tenant?: string;
}

/**
 * Where a command works that operators have on the database, and tenants by HTTP: the service, or undefined for the
 * database. Flags come first, then DATABASE_URL, then who is signed in, then the database of a running `make run`.
 * @throws UsageError for a tenant by HTTP, where it is the client's own
 */
export function serviceUnlessOperator(session: Session, options: EitherOptions): Service | undefined {
  const { url, profile, clientId, tenant } = options;
  const server = {
    ...(url === undefined ? {} : { url }),
    ...(profile === undefined ? {} : { profile }),
    ...(clientId === undefined ? {} : { clientId }),
  };
  const isNamed = (url ?? profile ?? clientId) !== undefined;
  const hasDatabase = (session.environment['DATABASE_URL'] ?? '') !== '';
  const service = isNamed ? session.service(server) : hasDatabase ? undefined : signedIn(session, server);
  if (service !== undefined && tenant !== undefined) {
    throw new UsageError("by HTTP the tenant is the client's own: leave out --tenant, or set DATABASE_URL.");
  }
  return service;
}

function signedIn(session: Session, options: ConnectionOptions): Service | undefined {
  try {
    const service = session.service(options);
    return service.connection.source === demoSource ? undefined : service;
  } catch (error) {
    if (error instanceof NotSignedIn) return undefined;
    throw error;
  }
}

/** On the database a new thing needs to be told whose it is. @throws UsageError */
export function requireTenant(tenant: string | undefined): string {
  if (tenant === undefined) throw new UsageError('say whose it is on the database: --tenant <id>.');
  return tenant;
}
