/** What the API answers of clients and policies. */

/** Requests that are let through. */
export interface Limit {
  readonly perSecond: number;
  readonly burst: number;
}

export interface ClientFields {
  readonly name: string;
  readonly scopes: readonly string[];
  /** Ids. */
  readonly workspaces: readonly string[];
  readonly limit: Limit | null;
}

export interface Client extends ClientFields {
  readonly id: string;
  readonly expiresAt: string | null;
  readonly disabledAt: string | null;
}

export interface PolicyFields {
  readonly effect: 'allow' | 'deny';
  readonly subjects: readonly string[];
  readonly roles: readonly string[];
  readonly scopes: readonly string[];
}

export interface Policy extends PolicyFields {
  readonly id: string;
  readonly expiresAt: string | null;
}
