import type { Static, TObject, TSchema } from 'typebox';
import type { Principal } from '../oauth/principal.js';
import type { Reply, TextsReply } from '../http/server/response.js';
import type { Operation, Received } from './operation.js';

interface PrincipalRequest<Params, Query, Body> extends Received<Params, Query, Body> {
  readonly principal: Principal;
}

/** One operation for anyone with a token, about themselves: without a workspace and without a scope. */
export interface PrincipalRoute<
  P extends TObject = TObject,
  Q extends TObject = TObject,
  B extends TSchema = TSchema,
> extends Operation<P, Q, B> {
  readonly by: 'principal';
  readonly handle: (request: PrincipalRequest<Static<P>, Static<Q>, Static<B>>) => Reply | Promise<Reply | TextsReply>;
}

/** Checks the types of one declaration against each other, and returns it as an element of a list of routes. */
export function principalRoute<P extends TObject, Q extends TObject, B extends TSchema>(
  route: Omit<PrincipalRoute<P, Q, B>, 'by'>,
): PrincipalRoute {
  const declared: PrincipalRoute<P, Q, B> = { ...route, by: 'principal' };
  return declared;
}
