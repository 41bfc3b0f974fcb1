import type { Logger } from 'pino';
import type { Config } from '../config/config.js';
import type { Transports } from './deliver.js';
import { createEmailTransport } from './transports/email.js';
import { createLogTransport } from './transports/log.js';
import type { PostSettings } from './transports/post.js';
import { createSmsTransport } from './transports/sms.js';
import { createWebhookTransport } from './transports/webhook.js';

type TransportSettings = Pick<
  Config,
  'smsGatewayUrl' | 'smsGatewayToken' | 'smtpUrl' | 'mailFrom' | 'mailSubject' | 'outboundAllow' | 'outboxTimeoutMs'
>;

/** Everything that messages leave by, as the settings have it; without a gateway, the log. */
export function createTransports(config: TransportSettings, log: Logger): Transports & { close(): void } {
  const { smsGatewayUrl: smsUrl, smtpUrl, mailFrom, mailSubject, outboxTimeoutMs: timeoutMs } = config;
  const posting: PostSettings = { timeoutMs, privateHosts: config.outboundAllow };
  const email =
    smtpUrl === null
      ? undefined
      : createEmailTransport({ url: smtpUrl, from: mailFrom, subject: mailSubject, timeoutMs });
  return {
    SMS:
      smsUrl === null
        ? createLogTransport('SMS', log)
        : createSmsTransport({ url: smsUrl, token: config.smsGatewayToken }, posting),
    EMAIL: email?.send ?? createLogTransport('EMAIL', log),
    WEBHOOK: createWebhookTransport(posting),
    close: () => email?.close(),
  };
}
