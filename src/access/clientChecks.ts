import { checkedScopes, invalid } from '../workspaces/checkedInput.js';

/** Each role's scopes are among the client's. Throws `validation_failed`. */
export function checkedRoles(
  roles: readonly (readonly [name: string, scopes: string])[],
  ofClient: readonly string[],
): Map<string, readonly string[]> {
  const checked = new Map<string, readonly string[]>();
  for (const [name, text] of roles) {
    const scopes = checkedScopes(text);
    const extra = scopes.filter((scope) => !ofClient.includes(scope));
    if (name.trim() !== name || name === '') throw invalid('A role has a name without blanks around it.');
    if (checked.has(name)) throw invalid(`The role ${name} is there twice.`);
    if (extra.length > 0) throw invalid(`The role ${name} has scopes that the client has not: ${extra.join(' ')}.`);
    checked.set(name, scopes);
  }
  return checked;
}

/** RFC 8707, section 2: an absolute URI without a fragment. */
export function checkedResource(resource: string): string {
  if (!URL.canParse(resource) || /[#\s]/.test(resource)) {
    throw invalid(`The resource ${resource} is not an absolute URI without fragment.`);
  }
  return resource;
}

/** Roles of a client that has these scopes now: a role loses those that the client has lost. */
export const narrowed = (
  roles: ReadonlyMap<string, readonly string[]>,
  scopes: readonly string[],
): Map<string, readonly string[]> =>
  new Map(
    [...roles]
      .map(([name, its]) => [name, its.filter((scope) => scopes.includes(scope))] as const)
      .filter(([, its]) => its.length > 0),
  );
