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
  const { status } = response;
  if (status === 401) {
    throw new ApiError('The client id or the secret is wrong.', { status, code: 'invalid_client', requestId });
  }
  const detail = body.error_description ?? `The service answered ${status}.`;
  throw new ApiError(detail, { status, code: body.error ?? 'refused', requestId });
}
