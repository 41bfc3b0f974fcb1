/** Every scope in words, by what it is about. A test holds it against the scopes that there are. */
const words: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Decisions: {
    'decisions:read': 'list',
    'decision:read': 'read and compare',
    'decision:write': 'create and import',
    'decision:update': 'change',
    'decision:delete': 'delete',
    'version:write': 'save versions',
  },
  Environments: {
    'environments:read': 'list',
    'environment:read': 'read',
    'environment:write': 'create',
    'environment:update': 'change',
    'environment:delete': 'delete',
    'variables:read': 'read variables and hosts',
    'variable:write': 'write variables and hosts',
    'variable:delete': 'delete variables',
  },
  Deployments: {
    'deployments:read': 'list',
    'deployment:read': 'read',
    'deployment:write': 'deploy',
    'deployment:update': 'change',
    'deployment:delete': 'delete',
  },
  'Change requests': {
    'change:read': 'read',
    'change:write': 'open and close',
    'change:review': 'approve and reject',
    'change:apply': 'apply what is approved',
    'change:override': 'apply what is not approved',
    'protection:write': 'protect environments',
    'retention:write': 'say how long executions are kept',
    'callback:write': 'set where events go',
  },
  Runs: {
    'execution:write': 'execute what is deployed',
    'evaluation:write': 'evaluate and test',
    'executions:read': 'search history',
    'execution:read': 'read and explain executions',
    'outcome:write': 'tell what really happened',
    'monitor:write': 'write monitors',
    'evidence:read': 'get evidence of records',
    'erasure:write': 'erase what was recorded',
    'erasure:read': 'see how far erasures are',
  },
  'Replays and shadows': {
    'replay:read': 'read replays',
    'replay:write': 'start replays',
    'replay:delete': 'remove replays',
    'shadow:read': 'read shadows',
    'shadow:write': 'start shadows',
    'shadow:delete': 'end shadows',
  },
  Inquiries: {
    'inquiries:read': 'list',
    'inquiry:read': 'read',
    'inquiry:write': 'create',
    'inquiry:update': 'update',
    'inquiry:complete': 'complete',
    'inquiry:delete': 'delete',
  },
  Access: {
    'clients:read': 'read clients',
    'client:write': 'write clients',
    'client:delete': 'delete clients',
    'workspaces:read': 'read workspaces',
    'workspace:write': 'write workspaces',
    'policies:read': 'read policies',
    'policy:write': 'write policies',
    'policy:delete': 'delete policies',
  },
  Operations: {
    'audit:read': 'read who changed what',
    'pool:read': 'watch the pool',
  },
};

/** The same as a list: `[scope, word]` of each area. */
export const areas = Object.entries(words).map(([area, scopes]) => [area, Object.entries(scopes)] as const);

const all = areas.reduce((sum, [, scopes]) => sum + scopes.length, 0);

/** What scopes allow, a line for each area; a scope that this page does not know stands for itself. */
export function inWords(scopes: readonly string[]): string[] {
  const has = new Set(scopes);
  const lines = areas.flatMap(([area, each]) => {
    const words = each.filter(([scope]) => has.delete(scope)).map(([, word]) => word);
    if (words.length === 0) return [];
    return [`${area}: ${words.length === each.length ? 'everything' : words.join(', ')}`];
  });
  if (scopes.length === all && has.size === 0) return ['Everything'];
  return has.size === 0 ? lines : [...lines, `Others: ${[...has].join(' ')}`];
}
