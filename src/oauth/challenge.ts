import { Problem } from '../errors.js';

/** No token was sent, or credentials of another kind: a challenge without an error code (RFC 6750, section 3.1). */
export function bearerWanted(): Problem {
  return new Problem('unauthorized', 'Send an access token: `Authorization: Bearer <token>`.', {
    headers: { 'WWW-Authenticate': 'Bearer realm="verdict"' },
  });
}

/** A token was sent and is not valid. `detail` is public; it must hold nothing of the token and no quotes. */
export function invalidToken(detail: string, cause?: unknown): Problem {
  return new Problem('unauthorized', detail, {
    headers: { 'WWW-Authenticate': `Bearer realm="verdict", error="invalid_token", error_description="${detail}"` },
    cause,
  });
}
