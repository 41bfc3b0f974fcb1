import { useSession } from './session.js';

/**
 * Whether the token allows what needs a scope. Of tokens that do not say what they may do, such as those of people who came by
 * a provider, nothing is known here: the service answers.
 */
export function useMay(): (scope: string) => boolean {
  const { scopes } = useSession().who;
  return (scope) => scopes === null || scopes.has(scope);
}
