import type { Principal } from '../oauth/principal.js';
import type { Actor } from '../audit/actor.js';

/** Who makes a request. */
export const actorOf = ({ principal, requestId }: { principal: Principal; requestId: string }): Actor => ({
  principal: principal.name,
  requestId,
});
