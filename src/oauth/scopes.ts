/** Every scope there is. */
export const scopes = [
  'environments:read',
  'environment:read',
  'environment:write',
  'environment:update',
  'environment:delete',
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
  'evaluation:write',
  'inquiry:read',
  'inquiry:update',
] as const;

export type Scope = (typeof scopes)[number];

export const isScope = (text: string): text is Scope => (scopes as readonly string[]).includes(text);
