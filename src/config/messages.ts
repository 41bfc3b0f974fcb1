import {
  baseUrl,
  durationsS,
  flag,
  hostPorts,
  integer,
  mailSender,
  setting,
  text,
  url,
  urlWithoutCredentials,
} from './parsers.js';

/** The delays that Standard Webhooks recommends: 5 s, 5 min, 30 min, then hours, three days in all. */
const defaultRetryDelaysS: readonly number[] = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400];

/** Settings of messages to people and tenants. */
export const messageSettings = {
  inquiryUrl: setting<string | null>(
    'INQUIRY_URL',
    baseUrl,
    null,
    "Where the flow of end users stands; an inquiry's link is a random segment below it. Unset: `/inquiries` below ISSUER",
  ),
  smsGatewayUrl: setting<string | null>(
    'SMS_GATEWAY_URL',
    urlWithoutCredentials,
    null,
    'HTTP gateway for text messages; without it they are logged, and not sent',
  ),
  smsGatewayToken: setting<string | null>('SMS_GATEWAY_TOKEN', text, null, 'Sent to the SMS gateway as Bearer'),
  smtpUrl: setting<string | null>(
    'SMTP_URL',
    url('smtp:', 'smtps:'),
    null,
    'SMTP server, with user and password if need be; without it mails are logged, and not sent',
  ),
  mailFrom: setting('MAIL_FROM', mailSender, 'Verdict <noreply@localhost>', 'Sender of mails'),
  mailSubject: setting('MAIL_SUBJECT', text, 'Your inquiry', 'Subject of mails'),
  logMessages: setting(
    'LOG_MESSAGES',
    flag,
    false,
    'For development: where a gateway is missing, the log shows numbers, addresses and links in full',
  ),
  outboundAllow: setting<readonly string[]>(
    'OUTBOUND_ALLOW',
    hostPorts,
    [],
    'Gateways, callbacks, and hosts on the lists for function nodes that may stand at a private address, as host:port, separated by commas',
  ),
  outboxMaxPerMinute: setting<number | null>(
    'OUTBOX_MAX_PER_MINUTE',
    integer(1, 1_000_000),
    null,
    'Notifications that a tenant may queue within a minute, then 429. Unset: as many as they like',
  ),
  outboxTimeoutMs: setting('OUTBOX_TIMEOUT_MS', integer(10, 600_000), 10_000, 'Time limit of sending one message'),
  outboxRetryDelaysS: setting(
    'OUTBOX_RETRY_DELAYS_S',
    durationsS,
    defaultRetryDelaysS,
    `Time between attempts, with jitter; then a dead letter. Unset: ${defaultRetryDelaysS.join(',')}`,
  ),
};
