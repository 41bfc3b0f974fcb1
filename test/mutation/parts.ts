/** A part of the product whose tests are tested: Stryker changes the sources, and some test must notice each change. */
export interface Part {
  readonly name: string;
  readonly sources: readonly string[];
  /** Those that reach the sources, the fast ones first. */
  readonly tests: readonly string[];
}

const oauth = (...names: readonly string[]): string[] => names.map((name) => `src/oauth/${name}.ts`);

/*
 * What survives was looked at, and is one of these:
 * - for the compiler: `?? ''` of a key that always has its parts, `?? []`, `typeof` of what jose or JSON has checked, a row
 *   that its own transaction has just written, the first of a list that is never empty (keys.ts, rotate.ts);
 * - a shortcut: without it the answer is the same, and later (redact.ts, finder.ts, the guard of `refresh` in keys.ts, `loading`
 *   in sharedCache.ts, the comparison with nobody's digest in authenticateClient.ts, which is about time);
 * - the same by another way: a denied scope that is added is taken out again (policies.ts); an empty column list reads all
 *   columns (references.ts and the stores); `false` for a grant is as present as `true` (access.ts);
 *   a header that is not there has no known scheme either (verifyClient.ts);
 * - the very millisecond or byte of a limit (`<` for `<=`), from when an answer's age counts while it is fetched
 *   (verifyClient.ts), and how long a tombstone lives;
 * - a text for the log.
 */

/** Static tables (scopes, the OpenAPI description) are in no part: what is wrong with them other tests say. */
export const parts: readonly Part[] = [
  {
    name: 'tokens',
    sources: oauth(
      'verify',
      'ownTokens',
      'trustedIssuers',
      'keys',
      'keys.store',
      'rotate',
      'challenge',
      'protectedResource',
      'principal',
    ),
    tests: [
      'test/api/oauth/trustedIssuers.test.ts',
      'test/api/oauth/verify.test.ts',
      'test/api/oauth/keySet.test.ts',
      'test/api/oauth/bearer.test.ts',
      'test/api/oauth/users.test.ts',
      'test/api/oauth/outage.test.ts',
    ],
  },
  {
    name: 'clients',
    sources: oauth(
      'authenticateClient',
      'clientCredentials',
      'clients.store',
      'form',
      'oauth.routes',
      'oauthError',
      'credentials.store',
      'credentialsCache',
      'digestKeys.store',
      'scopes',
      'secrets.store',
      'verifyClient',
    ),
    tests: [
      'test/unit/oauth/*.test.ts',
      'test/api/oauth/clients.service.test.ts',
      'test/api/inquiries.test.ts',
      'test/api/oauth/authenticateClient.test.ts',
      'test/api/oauth/client.test.ts',
      'test/api/oauth/token.test.ts',
      'test/api/oauth/keys.test.ts',
      'test/api/oauth/endpoints.test.ts',
      'test/api/oauth/throttle.test.ts',
      'test/api/oauth/outage.test.ts',
      'test/api/oauth/access.test.ts',
    ],
  },
  {
    name: 'giving',
    sources: [
      'src/access/clientTransaction.ts',
      'src/access/clientGrants.ts',
      'src/access/clientSecrets.ts',
      'src/access/clients.routes.ts',
      'src/access/clients.service.ts',
      'src/access/giving.ts',
    ],
    tests: ['test/attacks/giving.test.ts', 'test/api/oauth/clients.service.test.ts', 'test/attacks/tenancy/*.test.ts'],
  },
  {
    name: 'access',
    sources: [
      'src/workspaces/access.ts',
      'src/workspaces/checkedInput.ts',
      'src/workspaces/grants.store.ts',
      'src/workspaces/policies.store.ts',
      'src/workspaces/policies.ts',
      'src/api/clientRoute.ts',
      'src/api/logicRoute.ts',
    ],
    tests: [
      'test/unit/workspaces/*.test.ts',
      'test/api/workspaces/access.test.ts',
      'test/api/oauth/clients.service.test.ts',
      'test/api/contract/access.test.ts',
      'test/api/oauth/users.test.ts',
      'test/api/oauth/bearer.test.ts',
      'test/api/inquiries.refusals.test.ts',
      'test/attacks/tenancy/matrix.test.ts',
    ],
  },
  {
    name: 'routing',
    sources: [
      'src/deployments/references.ts',
      'src/deployments/routing.ts',
      'src/environments/configurations.ts',
      'src/cache/sharedCache.ts',
    ],
    tests: ['test/api/routing/*.test.ts', 'test/stores/sharedCache*.test.ts', 'test/api/deployments.test.ts'],
  },
  {
    name: 'redaction',
    sources: [
      'workers/engine/redact.ts',
      'workers/engine/redact/finder.ts',
      'workers/engine/redact/variants.ts',
      'workers/reply.ts',
      'workers/configurations.ts',
    ],
    tests: [
      'test/unit/engine/redact/*.test.ts',
      'test/unit/workers/run.test.ts',
      'test/unit/workers/reply.test.ts',
      'test/unit/workers/configurations.test.ts',
    ],
  },
];
