import type { Logger } from 'pino';
import type { Config } from '../config/config.js';
import type { SendNotification } from './attempt.js';
import type { Transports } from './deliver.js';
import { createEmailTransport } from './transports/email.js';
import { createLogTransport } from './transports/log.js';
import type { PostSettings } from './transports/post.js';
import { createSmsTransport } from './transports/sms.js';
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

export const postSettings = ({
  outboxTimeoutMs,
  outboundAllow,
}: Pick<Config, 'outboxTimeoutMs' | 'outboundAllow'>): PostSettings => ({
  timeoutMs: outboxTimeoutMs,
  privateHosts: outboundAllow,
});
