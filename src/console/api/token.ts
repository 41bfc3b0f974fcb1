import { ApiError, rootUrl, send } from './client.js';

/**
 * A token for a client's id and secret, by the client credentials grant. Rejects with `ApiError`; 401 is a wrong id or
 * secret.
 */
export async function requestToken(clientId: string, secret: string): Promise<string> {
  const credentials = `${encodeURIComponent(clientId)}:${encodeURIComponent(secret)}`;
  const response = await send(new URL('core/oauth2/token', rootUrl), {
    method: 'POST',
    headers: { Authorization: `Basic ${btoa(credentials)}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  });
  const body = (await response.json()) as { access_token?: string; error?: string; error_description?: string };
  if (response.ok && body.access_token !== undefined) return body.access_token;
  const requestId = response.headers.get('X-Request-Id');
  if (response.status === 401) throw new ApiError(401, 'invalid_client', 'The client id or the secret is wrong.', requestId);
  const detail = body.error_description ?? `The service answered ${response.status}.`;
  throw new ApiError(response.status, body.error ?? 'refused', detail, requestId);
}
