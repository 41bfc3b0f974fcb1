import { createHmac, randomBytes } from 'node:crypto';

const prefix = 'whsec_';

/** A new signing secret in the form that Standard Webhooks gives it: 256 bits, base64, prefixed. */
export const makeWebhookSecret = (): string => prefix + randomBytes(32).toString('base64');

/**
 * What is signed of a delivery: the event's id, the time of this attempt in seconds since the epoch, the exact body.
 */
interface Signed {
  readonly id: string;
  readonly timestamp: number;
  readonly body: string;
}

/**
 * The headers of Standard Webhooks 1.0. Several secrets give several signatures: while a secret is being replaced, a
 * receiver that knows either one accepts the event.
 */
export function webhookHeaders(signed: Signed, secrets: readonly string[]): Record<string, string> {
  return {
    'webhook-id': signed.id,
    'webhook-timestamp': String(signed.timestamp),
    'webhook-signature': secrets.map((secret) => sign(signed, secret)).join(' '),
  };
}

function sign({ id, timestamp, body }: Signed, secret: string): string {
  const key = Buffer.from(secret.slice(prefix.length), 'base64');
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
}
