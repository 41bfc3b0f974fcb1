import type { SendNotification } from '../attempt.js';
import { post, type PostSettings } from './post.js';

/** Text messages by an HTTP gateway: POST of `{to, text}` with the outbox id as `Idempotency-Key`. */
export function createSmsTransport(
  gateway: { readonly url: string; readonly token: string | null },
  settings: PostSettings,
): SendNotification {
  return ({ id, to, text }, signal) =>
    post(
      {
        url: gateway.url,
        headers: {
          'idempotency-key': id,
          ...(gateway.token === null ? {} : { authorization: `Bearer ${gateway.token}` }),
        },
        body: JSON.stringify({ to, text }),
      },
      settings,
      signal,
    );
}
