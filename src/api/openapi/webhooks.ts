import type { TSchema } from 'typebox';
import type { Operation } from '../operation.js';
import { describeSchema, type Components, type Json } from './schema.js';

const header = (name: string, description: string): Json => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
});

/** Headers of Standard Webhooks 1.0. */
const headers = [
  header('webhook-id', 'The same at every attempt: recognise by it what you have seen'),
  header('webhook-timestamp', 'Seconds since 1970 of this attempt; refuse what is much older'),
  header(
    'webhook-signature',
    'Space separated, each `v1,` and the base64 of HMAC-SHA-256 over `<webhook-id>.<webhook-timestamp>.<body>` with the ' +
      'secret of `verdict tenant callback set`, or of `PUT /logic/callback`; two while a secret is being replaced',
  ),
];

const responses = {
  '2XX': { description: 'Taken. The body is not read' },
  '4XX': { description: 'Refused for good, but for 408, 425 and 429: not sent again' },
  '5XX': { description: 'Tried again later, for up to three days' },
};

/** An event that a callback can receive. */
export interface Webhook {
  readonly operationId: string;
  readonly schema: TSchema;
  readonly summary: string;
  readonly example: { readonly type: string };
  /** The chapter of the documentation; left out, that of inquiries. */
  readonly tag?: Operation['tag'];
}

/** `webhooks`: what the service sends to the callbacks of tenants and workspaces. */
export const describeWebhooks = (events: readonly Webhook[], components: Components): Json =>
  Object.fromEntries(
    events.map(({ operationId, schema, summary, example, tag = 'Inquiries' }) => [
      example.type,
      {
        post: {
          operationId,
          tags: [tag],
          summary,
          security: [],
          parameters: headers,
          requestBody: {
            required: true,
            content: {
              'application/json': {
                schema: describeSchema(schema, components),
                examples: { whole: { value: example } },
              },
            },
          },
          responses,
        },
      },
    ]),
  );
