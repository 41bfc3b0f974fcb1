import { call, type Answer } from './http.js';
import { basic } from './tokens.js';

export const pathOf = (inquiryId: string): string => `/fuse/v2/inquiries/${inquiryId}`;

export const sms = (
  message = 'Start: $link',
  to = '+358401234567',
): { readonly type: 'SMS'; readonly message: string; readonly to: string } => ({ type: 'SMS', message, to });

/** An asked list of notifications as it is answered: each with an id, and nothing sent yet. */
export const queued = (asked: readonly object[], answered: readonly { readonly id: string }[]): object[] =>
  asked.map((each, index) => ({ ...each, id: answered[index]?.id, state: 'queued' }));

export type Patch = (path: string, body: unknown, headers?: Record<string, string>) => Promise<Answer>;

/** PATCH with a client's Basic credentials, unless headers say otherwise. */
export const patchAs =
  (baseUrl: string, client: { readonly id: string; readonly secret: string }): Patch =>
  (path, body, headers = {}) =>
    call(`${baseUrl}${path}`, {
      method: 'PATCH',
      body,
      headers: { Authorization: basic(client.id, client.secret), ...headers },
    });

/** GET with a client's Basic credentials, unless headers say otherwise. */
export const getAs =
  (baseUrl: string, client: { readonly id: string; readonly secret: string }) =>
  (path: string, headers: Record<string, string> = {}): Promise<Answer> =>
    call(`${baseUrl}${path}`, { headers: { Authorization: basic(client.id, client.secret), ...headers } });
