/** Every scope there is. */
export const scopes = [
  'environments:read',
  'environment:read',
  'environment:write',
  'environment:update',
  'environment:delete',
  'protection:write',
  'retention:write',
  'deployments:read',
  'deployment:read',
  'deployment:write',
  'deployment:update',
  'deployment:delete',
  'decisions:read',
  'decision:read',
  'decision:write',
  'decision:update',
  'decision:delete',
  'version:write',
  'variables:read',
  'variable:write',
  'variable:delete',
  'pool:read',
  'audit:read',
  'executions:read',
  'execution:read',
  'execution:write',
  'evidence:read',
  'erasure:write',
  'erasure:read',
  'evaluation:write',
  'replay:write',
  'replay:read',
  'replay:delete',
  'shadow:write',
  'shadow:read',
  'shadow:delete',
  'outcome:write',
  'monitor:write',
  'change:write',
  'change:read',
  'change:review',
  'change:apply',
  'change:override',
  'callback:write',
  'inquiries:read',
  'inquiry:read',
  'inquiry:write',
  'inquiry:update',
  'inquiry:complete',
  'inquiry:delete',
  'clients:read',
  'client:write',
  'client:delete',
  'workspaces:read',
  'workspace:write',
  'policies:read',
  'policy:write',
  'policy:delete',
] as const;

export type Scope = (typeof scopes)[number];

export const isScope = (text: string): text is Scope => (scopes as readonly string[]).includes(text);

/** The scope tokens of a space-separated list (RFC 6749, section 3.3), each once, in their order. */
export function parseScopes(text: string): readonly string[] {
  return [...new Set(text.split(' ').filter((token) => token !== ''))];
}

/** Why a list of scopes can't be granted (it is empty or holds an unknown one); undefined when it can. */
export function scopesFault(wanted: readonly string[]): string | undefined {
  const known = `The scopes are: ${scopes.join(' ')}`;
  if (wanted.length === 0) return `At least one scope is needed. ${known}`;
  const unknown = wanted.filter((scope) => !isScope(scope));
  if (unknown.length === 0) return undefined;
  return `Unknown scope${unknown.length === 1 ? '' : 's'}: ${unknown.join(' ')}. ${known}`;
}
