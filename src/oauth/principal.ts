/** A service: a client of this server that got its token from the token endpoint (or, for inquiries, sent its secret). */
export interface ClientPrincipal {
  readonly kind: 'client';
  /** The client's id, a UUID in lower case. */
  readonly id: string;
  readonly tenantId: string;
  /** What its token allows. */
  readonly scopes: ReadonlySet<string>;
  /** `client:<uuid>`; how records and logs name it. */
  readonly name: string;
}

/** An end user: the subject of a token of a trusted issuer. Each workspace's policies decide what they may do. */
export interface UserPrincipal {
  readonly kind: 'user';
  readonly issuer: string;
  readonly subject: string;
  readonly roles: readonly string[];
  /** `user:<issuer>#<sub>`; how records and logs name them. */
  readonly name: string;
}

/** An operator, who calls operations of a tenant in process, on its database: no scope and no grant limits them. */
export interface OperatorPrincipal {
  readonly kind: 'operator';
  readonly tenantId: string;
  /** `operator:<system user>`; how the audit trail names them. */
  readonly name: string;
}

/** The user or client that makes a request. */
export type Principal = ClientPrincipal | UserPrincipal;

export function clientPrincipal(client: {
  id: string;
  tenantId: string;
  scopes: ReadonlySet<string>;
}): ClientPrincipal {
  return { kind: 'client', ...client, name: `client:${client.id}` };
}

export function userPrincipal(user: { issuer: string; subject: string; roles: readonly string[] }): UserPrincipal {
  return { kind: 'user', ...user, name: `user:${user.issuer}#${user.subject}` };
}

/** The user whom records and logs name so, without the roles, which stand in tokens alone; undefined for who is no user. */
export function userNamed(name: string): UserPrincipal | undefined {
  const [, issuer, subject] = /^user:([^#]*)#(.+)$/s.exec(name) ?? [];
  return issuer === undefined || subject === undefined ? undefined : userPrincipal({ issuer, subject, roles: [] });
}
