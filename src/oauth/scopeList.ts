import { isScope, scopes as knownScopes } from './scopes.js';

/** The scope tokens of a space-separated list (RFC 6749, section 3.3), each once, in their order. */
export function parseScopes(text: string): readonly string[] {
  return [...new Set(text.split(' ').filter((token) => token !== ''))];
}

/** Why a list of scopes can't be granted (it is empty or holds an unknown one); undefined when it can. */
export function scopesFault(scopes: readonly string[]): string | undefined {
  const known = `The scopes are: ${knownScopes.join(' ')}`;
  if (scopes.length === 0) return `At least one scope is needed. ${known}`;
  const unknown = scopes.filter((scope) => !isScope(scope));
  if (unknown.length === 0) return undefined;
  return `Unknown scope${unknown.length === 1 ? '' : 's'}: ${unknown.join(' ')}. ${known}`;
}
