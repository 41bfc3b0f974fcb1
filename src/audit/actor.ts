import { userInfo } from 'node:os';
import type { Principal } from '../oauth/principal.js';
import type { Actor } from './audit.store.js';

/** Who makes a request. */
export const actorOf = ({ principal, requestId }: { principal: Principal; requestId: string }): Actor => ({
  principal: principal.name,
  requestId,
});

/** The user of a local command, which works on the database directly. */
export const operator = (): Actor => ({ principal: `operator:${systemUser()}`, requestId: null });

function systemUser(): string {
  try {
    return userInfo().username;
  } catch {
    // A container may run under a uid without a user.
    return String(process.getuid?.() ?? 'unknown');
  }
}
