import type { OperatorPrincipal, Principal } from '../oauth/principal.js';
import type { Actor } from '../audit/actor.js';

/** Who makes a request; an operator makes none. */
export const actorOf = ({
  principal,
  requestId,
}: {
  readonly principal: Principal | OperatorPrincipal;
  readonly requestId: string;
}): Actor => ({
  principal: principal.name,
  requestId: principal.kind === 'operator' ? null : requestId,
});
