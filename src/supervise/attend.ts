import type { Administered } from '../admin/administered.js';
import type { Order, Report } from './messages.js';

/**
 * A server process answers its primary, and ends with it.
 * @param end ends the process; node:cluster's own way, which this replaces, would not let the log be closed
 */
export function attend(administered: Administered, end: () => void): void {
  process.removeAllListeners('disconnect');
  process.on('disconnect', end);
  const send = (report: Report): void => void process.send?.(report);
  process.on('message', (order: Order) => {
    // The primary has checked the changes against the same settings.
    if (order.kind === 'resize') void administered.resize(order.changes);
    else void administered[order.question]().then((answer) => send({ kind: 'answer', id: order.id, answer }));
  });
}
