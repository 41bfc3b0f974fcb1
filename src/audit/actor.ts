import { userInfo } from 'node:os';
import type { Principal } from '../oauth/principal.js';
import type { Actor } from './audit.store.js';

/** Who makes a request. */
export const actorOf = ({ principal, requestId }: { principal: Principal; requestId: string }): Actor => ({
  principal: principal.name,
  requestId,
});

/** The user of a local command, who has the database itself. */
export const operator = (): Actor => ({ principal: `operator:${systemUser()}`, requestId: null });

function systemUser(): string {
  try {
    return userInfo().username;
  } catch {
    // A container may run under a number that no user has.
    return String(process.getuid?.() ?? 'unknown');
  }
}
