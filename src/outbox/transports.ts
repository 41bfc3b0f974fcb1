import type { Logger } from 'pino';
import type { Config } from '../config/config.js';
import type { SendNotification } from './attempt.js';
import type { Transports } from './deliver.js';
import { createEmailTransport } from './transports/email.js';
import { post, type PostSettings } from './transports/post.js';
import { createWebhookTransport } from './transports/webhook.js';

type TransportSettings = Pick<
  Config,
  | 'smsGatewayUrl'
  | 'smsGatewayToken'
  | 'smtpUrl'
  | 'mailFrom'
  | 'mailSubject'
  | 'outboundAllow'
  | 'outboxTimeoutMs'
  | 'logMessages'
>;

/** The transports as configured. A channel without a gateway is logged instead, with a warning here. */
export function createTransports(config: TransportSettings, log: Logger): Transports & { close(): void } {
  const { smsGatewayUrl: smsUrl, smtpUrl, mailFrom, mailSubject, outboxTimeoutMs: timeoutMs } = config;
  const posting = postSettings(config);
  const email =
    smtpUrl === null
      ? undefined
      : createEmailTransport({ url: smtpUrl, from: mailFrom, subject: mailSubject, timeoutMs });
  const logging = (channel: 'SMS' | 'EMAIL', variable: string): SendNotification => {
    log.warn(`${variable} is not set: messages of type ${channel} are logged, and not sent to anybody`);
    return createLogTransport(channel, { log, full: config.logMessages });
  };
  if (config.logMessages)
    log.warn('LOG_MESSAGES is for development: the log shows numbers, addresses and links of people');
  return {
    SMS:
      smsUrl === null
        ? logging('SMS', 'SMS_GATEWAY_URL')
        : createSmsTransport({ url: smsUrl, token: config.smsGatewayToken }, posting),
    EMAIL: email?.send ?? logging('EMAIL', 'SMTP_URL'),
    WEBHOOK: createWebhookTransport(posting),
    close: () => email?.close(),
  };
}

/** Settings of calls to gateways and callbacks, from the configuration. */
export const postSettings = ({
  outboxTimeoutMs,
  outboundAllow,
}: Pick<Config, 'outboxTimeoutMs' | 'outboundAllow'>): PostSettings => ({
  timeoutMs: outboxTimeoutMs,
  privateHosts: outboundAllow,
});

/** Text messages by an HTTP gateway: POST of `{to, text}` with the outbox id as `Idempotency-Key`. */
function createSmsTransport(
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

/** Logs what would have been sent; number and link are hidden unless it is `full` (LOG_MESSAGES, for development). */
function createLogTransport(
  channel: 'SMS' | 'EMAIL',
  { log, full }: { readonly log: Logger; readonly full: boolean },
): SendNotification {
  return ({ id, to, text, link }) => {
    const shown = full ? { to, text } : { to: `…${to.slice(-2)}`, text: text.replaceAll(link, '[link]') };
    log.info({ id, channel, ...shown }, 'not sent, for want of a gateway');
    // Log lines are buffered; a developer waits for this one.
    log.flush();
    return Promise.resolve({ kind: 'logged' });
  };
}
