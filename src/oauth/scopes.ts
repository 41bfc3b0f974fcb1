import { Problem } from '../errors.js';

/** Every scope there is: one for each logic operation (source.md, Authentication), and the inquiry update. */
export const knownScopes = [
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
  'inquiry:update',
] as const;

export type Scope = (typeof knownScopes)[number];

const known: ReadonlySet<string> = new Set(knownScopes);

/** The scope tokens of a space-separated list (RFC 6749, section 3.3), each once, in their order. */
export function parseScopes(text: string): readonly string[] {
  return [...new Set(text.split(' ').filter((token) => token !== ''))];
}

/** Those of `scopes` that no operation knows. */
export function unknownScopes(scopes: Iterable<string>): readonly string[] {
  return [...scopes].filter((scope) => !known.has(scope));
}

/** Throws `insufficient_scope` (RFC 6750, section 3.1) unless `scopes` holds exactly `scope`; no scope implies another. */
export function requireScope(scopes: ReadonlySet<string>, scope: Scope): void {
  if (scopes.has(scope)) return;
  throw new Problem('insufficient_scope', `This operation needs the scope ${scope}.`, {
    headers: { 'WWW-Authenticate': `Bearer error="insufficient_scope", scope="${scope}"` },
  });
}
