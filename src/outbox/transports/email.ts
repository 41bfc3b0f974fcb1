import { delivered, failedBy, type Attempt, type SendNotification } from '../attempt.js';
import { withinTime } from './timeLimit.js';

interface MailSettings {
  /** `smtp://` or `smtps://`, with user and password if need be. */
  readonly url: string;
  readonly from: string;
  readonly subject: string;
  /** Milliseconds for connecting, greeting and every answer. */
  readonly timeoutMs: number;
}

/** Mail by SMTP, and the end of its connections. */
interface EmailTransport {
  readonly send: SendNotification;
  close(): void;
}

export function createEmailTransport({ url, from, subject, timeoutMs }: MailSettings): EmailTransport {
  // Loaded with the first mail: most servers send none for a long time.
  const open = async () => {
    const { createTransport } = await import('nodemailer');
    return createTransport({
      url,
      pool: true,
      maxConnections: 4,
      // The outbox does the retries; nodemailer must not send a mail again on its own.
      maxRequeues: 0,
      idleTimeout: 10_000,
      connectionTimeout: timeoutMs,
      greetingTimeout: timeoutMs,
      socketTimeout: timeoutMs,
      dnsTimeout: timeoutMs,
      // Texts come from tenants: they must not make nodemailer read a file or fetch an address.
      disableFileAccess: true,
      disableUrlAccess: true,
    });
  };
  let opened: ReturnType<typeof open> | undefined;
  const host = /@([^@\s>]+)>?$/.exec(from)?.[1] ?? 'localhost';
  return {
    async send({ id, to, text }, signal) {
      return withinTime({ signal, timeoutMs }, async (limited) => {
        try {
          const mailer = await (opened ??= open());
          await mailer.sendMail({
            from,
            // An object is taken for one address, whatever characters it holds.
            to: { name: '', address: to },
            subject,
            text,
            messageId: `<${id}@${host}>`,
            signal: limited,
          });
          return delivered;
        } catch (error) {
          return limited.aborted ? failedBy(limited.reason) : judged(error);
        }
      });
    },
    close: () => void opened?.then((mailer) => mailer.close()),
  };
}

/**
 * RFC 5321, section 4.2.1: 5yz is final, unless it concerns our login and not the mail. The server's text is left out,
 * as it may hold the address.
 */
function judged(error: unknown): Attempt {
  const { responseCode, code } = error as { responseCode?: unknown; code?: unknown };
  if (typeof responseCode !== 'number') return failedBy(error);
  const text = `SMTP ${responseCode}`;
  const final = responseCode >= 500 && (code === 'EENVELOPE' || code === 'EMESSAGE');
  return final ? { kind: 'refused', error: text } : { kind: 'failed', error: text };
}
