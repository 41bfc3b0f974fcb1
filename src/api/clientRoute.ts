import type { Static, TObject, TSchema } from 'typebox';
import type { ClientPrincipal, OperatorPrincipal } from '../oauth/principal.js';
import type { Scope } from '../oauth/scopes.js';
import type { Reply, TextsReply } from '../http/server/response.js';
import type { Operation, Received } from './operation.js';

export interface ClientRequest<Params, Query, Body> extends Received<Params, Query, Body> {
  readonly principal: ClientPrincipal | OperatorPrincipal;
}

/** One operation for clients only (Basic or Bearer), on what belongs to their tenant; without a workspace. */
export interface ClientRoute<
  P extends TObject = TObject,
  Q extends TObject = TObject,
  B extends TSchema = TSchema,
> extends Operation<P, Q, B> {
  readonly by: 'client';
  readonly scope: Scope;
  /** A wider scope that is accepted too. */
  readonly orScope?: Scope;
  readonly handle: (request: ClientRequest<Static<P>, Static<Q>, Static<B>>) => Reply | Promise<Reply | TextsReply>;
}

/** Checks the types of one declaration against each other, and returns it as an element of a list of routes. */
export function clientRoute<P extends TObject, Q extends TObject, B extends TSchema>(
  route: Omit<ClientRoute<P, Q, B>, 'by'>,
): ClientRoute {
  const declared: ClientRoute<P, Q, B> = { ...route, by: 'client' };
  return declared;
}
