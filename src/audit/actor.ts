import { userInfo } from 'node:os';

/** The author of a change: a token's principal with its request, or the user of the local command line. */
export interface Actor {
  /** `client:<uuid>`, `user:<issuer>#<sub>`, `operator:<system user>`, or `system:retention` of what the server does by itself. */
  readonly principal: string;
  readonly requestId: string | null;
}

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
