/** Where the demo's tenant is to be made. */
export interface DemoTarget {
  readonly databaseUrl: string;
  /** As in `ENCRYPTION_KEY`. */
  readonly encryptionKey: string;
}

/** What the one screen of `make run` needs for lines that work when pasted. */
export interface DemoAccess {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly workspaceId: string;
  readonly environmentId: string;
  readonly decisionId: string;
  /** The fact of the example request. */
  readonly fact: Readonly<Record<string, unknown>>;
}

/** Makes a demo tenant on an empty database. Undefined: the database holds tenants already, and nothing was done. */
export function seedDemo(_target: DemoTarget): Promise<DemoAccess | undefined> {
  return Promise.resolve(undefined);
}
