import type { Logger } from 'pino';
import type { SendNotification } from '../attempt.js';

/**
 * In place of a gateway: says what would have been sent. The number or address is hidden but for its end, and so is the
 * link, which opens the flow to whoever reads the log.
 * @param full LOG_MESSAGES, for development: nothing is hidden
 */
export function createLogTransport(
  channel: 'SMS' | 'EMAIL',
  { log, full }: { readonly log: Logger; readonly full: boolean },
): SendNotification {
  return ({ id, to, text, link }) => {
    const shown = full ? { to, text } : { to: `…${to.slice(-2)}`, text: text.replaceAll(link, '[link]') };
    log.info({ id, channel, ...shown }, 'not sent, for want of a gateway');
    // Lines are written in blocks; this one is for whoever sits before the screen.
    log.flush();
    return Promise.resolve({ kind: 'logged' });
  };
}
