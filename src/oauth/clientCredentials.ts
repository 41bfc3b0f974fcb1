import type { Client } from './clients.store.js';
import type { Form } from './form.js';
import { OAuthError } from './oauthError.js';
import type { TokenRequest } from './ownTokens.js';
import { parseScopes } from './scopes.js';

/**
 * Reads a request of the client credentials grant (RFC 6749, section 4.4): which scopes the token will have, and for which
 * resource. Throws `OAuthError`.
 * @param issuer this service's own resource, the default one
 */
export function clientCredentials(client: Client, form: Form, issuer: string): TokenRequest {
  const role = form.get('role');
  return {
    client,
    role,
    scopes: chooseScopes(allowedScopes(client, role), form.get('scope')),
    resource: chooseResource(client, form.get('resource'), issuer),
  };
}

/** The client's scopes; where the request names a role, those of them that the role has too. */
function allowedScopes(client: Client, role: string | undefined): readonly string[] {
  if (role === undefined) return client.scopes;
  const scopes = client.roles.get(role);
  if (scopes === undefined) throw new OAuthError('invalid_request', 'The client does not have this role.');
  return client.scopes.filter((scope) => scopes.includes(scope));
}

function chooseScopes(allowed: readonly string[], wanted: string | undefined): readonly string[] {
  if (wanted === undefined) return allowed;
  const scopes = parseScopes(wanted);
  if (scopes.length === 0 || !scopes.every((scope) => allowed.includes(scope))) {
    throw new OAuthError('invalid_scope', 'The scope is unknown, malformed, or more than the client may have.');
  }
  return scopes;
}

/** RFC 8707, section 2. The service itself is every client's resource. */
function chooseResource(client: Client, wanted: string | undefined, issuer: string): string {
  if (wanted === undefined || wanted === issuer || client.resources.includes(wanted)) return wanted ?? issuer;
  throw new OAuthError('invalid_target', 'The resource is not one of the client.');
}
