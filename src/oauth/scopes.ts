/** Every scope there is: one per operation (source.md), and the inquiry API's. */
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
  'execution:write',
  'evaluation:write',
  'inquiry:read',
  'inquiry:update',
] as const;

export type Scope = (typeof scopes)[number];

export const isScope = (text: string): text is Scope => (scopes as readonly string[]).includes(text);
