import type { UserPrincipal } from '../oauth/principal.js';
import type { Scope } from '../oauth/scopes.js';

/**
 * One rule on what end users may do in a workspace. It applies to the users that `subjects` names and to the users who have
 * one of `roles`. A subject is `*` (every user of every trusted issuer), `<issuer>#<sub>`, or a bare `<sub>` (of any
 * trusted issuer).
 */
export interface Policy {
  readonly id: string;
  readonly effect: 'allow' | 'deny';
  readonly subjects: readonly string[];
  readonly roles: readonly string[];
  readonly scopes: readonly string[];
  /** Until then it counts; null: until it is removed. */
  readonly expiresAt: string | null;
  readonly createdAt: string;
}

/** The scopes that a user has under `policies`: all that some rule allows and no rule denies. */
export function scopesOf(policies: readonly Policy[], user: UserPrincipal): ReadonlySet<string> {
  const allowed = new Set<string>();
  const applying = policies.filter((policy) => applies(policy, user));
  for (const { effect, scopes } of applying) {
    if (effect === 'allow') for (const scope of scopes) allowed.add(scope);
  }
  for (const { effect, scopes } of applying) {
    if (effect === 'deny') for (const scope of scopes) allowed.delete(scope);
  }
  return allowed;
}

/**
 * Whether a user may have a scope yet, though nobody knows which roles the user's tokens have by now: what names the user
 * counts, and roles only where they allow.
 */
export function mayHave(policies: readonly Policy[], scope: Scope, user: UserPrincipal): boolean {
  const about = policies.filter(({ scopes }) => scopes.includes(scope));
  const byName = about.filter((policy) => applies(policy, { ...user, roles: [] }));
  if (byName.some(({ effect }) => effect === 'deny')) return false;
  const byRole = about.filter((policy) => policy.roles.some((role) => applies(policy, { ...user, roles: [role] })));
  return [...byName, ...byRole].some(({ effect }) => effect === 'allow');
}

function applies({ subjects, roles, expiresAt }: Policy, user: UserPrincipal): boolean {
  if (expiresAt !== null && Date.parse(expiresAt) <= Date.now()) return false;
  return subjects.some((subject) => names(subject, user)) || roles.some((role) => user.roles.includes(role));
}

function names(subject: string, user: UserPrincipal): boolean {
  if (subject === '*') return true;
  // Text with `#` is never a bare subject: else one issuer could name its user `<other issuer>#<sub>`.
  return subject === (subject.includes('#') ? `${user.issuer}#${user.subject}` : user.subject);
}
