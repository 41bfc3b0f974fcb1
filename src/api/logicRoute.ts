import type { Static, TObject, TSchema } from 'typebox';
import type { Principal } from '../oauth/principal.js';
import type { Scope } from '../oauth/scopes.js';
import type { StreamedReply } from '../http/server/answerSink.js';
import type { Reply, TextsReply } from '../http/server/response.js';
import type { Operation, Received } from './operation.js';

/** What a handler gets: a checked request, independent of Koa. */
export interface LogicRequest<Params, Query, Body> extends Received<Params, Query, Body> {
  readonly workspaceId: string;
  readonly principal: Principal;
  /** What the principal may do in the workspace, for `requireScope` where a request needs more than the route's scope. */
  readonly scopes: ReadonlySet<string>;
}

/** One operation in a workspace: all that the router, the checks and the OpenAPI document need to know. */
export interface LogicRoute<
  P extends TObject = TObject,
  Q extends TObject = TObject,
  B extends TSchema = TSchema,
> extends Operation<P, Q, B> {
  readonly by: 'workspace';
  readonly scope: Scope;
  /** Each of them is enough, too. */
  readonly orScopes?: readonly Scope[];
  readonly handle: (
    request: LogicRequest<Static<P>, Static<Q>, Static<B>>,
  ) => Reply | Promise<Reply | StreamedReply | TextsReply>;
}

/** Checks the types of one declaration against each other, and returns it as an element of a list of routes. */
export function logicRoute<P extends TObject, Q extends TObject, B extends TSchema>(
  route: Omit<LogicRoute<P, Q, B>, 'by'>,
): LogicRoute {
  const declared: LogicRoute<P, Q, B> = { ...route, by: 'workspace' };
  return declared;
}
