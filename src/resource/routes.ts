import type { Static, TObject, TSchema } from 'typebox';
import { actorOf } from '../api/actor.js';
import type { Reply, TextsReply } from '../http/server/response.js';
import type { DeclaredProblem, FindBodyViolations, Operation, Received } from '../api/operation.js';
import { PageQuery } from '../api/paginate.js';
import { requireMatch } from '../api/preconditions.js';
import { Problem, type ProblemCode } from '../errors.js';
import type { OperatorPrincipal, Principal } from '../oauth/principal.js';
import type { Scope } from '../oauth/scopes.js';
import type { Page, PageRequest } from '../storage/pages.js';
import { conditionalGet, conditionalWrite, tagged, taggedUnlessCurrent, unstored, type Showing } from './answers.js';
import type { NamesOf } from './csv.js';
import { listOf } from './lists.js';
import type { Writing } from './write.js';

/** A checked request, and its caller. */
type Asked<Who, Params = unknown, Body = unknown, Query = unknown> = Received<Params, Query, Body> & Who;

/** Makes a route of a declaration. */
type Declare<Who, Route> = <P extends TObject, Q extends TObject, B extends TSchema>(
  route: Operation<P, Q, B> & {
    readonly scope: Scope;
    readonly handle: (request: Asked<Who, Static<P>, Static<B>, Static<Q>>) => Promise<Reply | TextsReply>;
  },
) => Route;

/** What all operations on a kind of resource have in common. */
export interface Kind<Who, Ref, S, P extends TObject> extends Showing<S> {
  /** `Environment`, of which the operations are called `getEnvironment` and so on. */
  readonly name: string;
  readonly plural?: string;
  readonly tag: Operation['tag'];
  /** The path of the list. */
  readonly path: string;
  /** The path of a single one; the same as `path` where a workspace or environment has but one. */
  readonly onePath: string;
  readonly params: P;
  /** The resource that a request names. */
  readonly refOf: (request: Asked<Who, Static<P>>) => Ref;
  readonly schema: TSchema;
  /** The 404 where what it belongs to is missing. */
  readonly parent?: ProblemCode;
  /** The 404 where it is missing itself; a DELETE is answered with 204 then. Left out for a kind that is always there. */
  readonly absent?: ProblemCode;
  /** What every operation can refuse with. */
  readonly problems?: readonly DeclaredProblem[];
}

/** One operation. Its id is made of its verb and the kind's name where it is left out. */
interface Declared {
  readonly summary: string;
  readonly description?: string;
  readonly scope: Scope;
  readonly operationId?: string;
  /** Problems besides those that follow from the kind and the verb. */
  readonly problems?: readonly DeclaredProblem[];
}

interface DeclaredList<Who, Of extends TObject> extends Declared {
  /** Parameters of the path. */
  readonly params?: Of;
  /** A `PageQuery`, perhaps with more. */
  readonly query?: TObject;
  /** Finds what people call what their fields name, which a .csv file shows. */
  readonly namesOf?: (request: Who) => NamesOf;
}

interface DeclaredWrite<B extends TObject, Q extends TObject>
  extends Declared, Pick<Operation<TObject, Q>, 'query' | 'openBody' | 'modelBody'> {
  readonly body: B;
  readonly findBodyViolations?: FindBodyViolations;
}

interface DeclaredCreation<Of extends TObject, B extends TObject, Q extends TObject, S> extends DeclaredWrite<B, Q> {
  readonly params?: Of;
  readonly status?: 202;
  /** The id of what was made, for the header `Location`; left out for an answer without it. */
  readonly located?: (made: S) => string;
  /** The schema of an answer that holds a secret; no cache may keep such an answer. */
  readonly secret?: TSchema;
}

type Change<Who, Ref, S, P, B, Q> = (
  writing: Writing<Ref, S> & { readonly body: B },
  request: Asked<Who, P, B, Q>,
) => Promise<S>;

/** The routes of a kind of resource: what they have in common is declared and done once. */
export class ResourceRoutes<
  Who extends { readonly principal: Principal | OperatorPrincipal },
  Route,
  Ref,
  S,
  P extends TObject,
> {
  readonly #declare: Declare<Who, Route>;
  readonly #kind: Kind<Who, Ref, S, P>;

  constructor(declare: Declare<Who, Route>, kind: Kind<Who, Ref, S, P>) {
    this.#declare = declare;
    this.#kind = kind;
  }

  /** GET of a page, in the order of ids. */
  list<Of extends TObject>(
    { query = PageQuery, namesOf, ...declared }: DeclaredList<Who, Of>,
    page: (request: Asked<Who, Static<Of>>, wanted: PageRequest) => Promise<Page<S>>,
  ): Route {
    const { name, plural = `${name}s`, path, schema, show } = this.#kind;
    const list = listOf(schema);
    return this.#declare({
      ...this.#common('list', declared, [], plural),
      method: 'GET',
      path,
      query,
      ...list.declared,
      handle: (request) => list.answer(request, (wanted) => page(request, wanted), show, namesOf?.(request)),
    });
  }

  /** POST of a new one. */
  create<Of extends TObject, B extends TObject, Q extends TObject>(
    { status, located, secret, ...declared }: DeclaredCreation<Of, B, Q, S>,
    make: (request: Asked<Who, Static<Of>, Static<B>, Static<Q>>) => Promise<S>,
  ): Route {
    const { path, show, tagOf, schema } = this.#kind;
    return this.#declare({
      ...this.#common('create', declared),
      method: 'POST',
      path,
      replies: { [status ?? 201]: secret ?? schema },
      replyHeaders: [
        'ETag',
        ...(located ? (['Location'] as const) : []),
        ...(secret ? (['Cache-Control'] as const) : []),
      ],
      async handle(request) {
        const made = await make(request);
        const { headers, ...reply } = tagged(status ?? 201, show(made), tagOf(made));
        const address = located && { Location: `${path}/${located(made)}` };
        return { ...reply, headers: { ...headers, ...address, ...(secret && unstored) } };
      },
    });
  }

  /** GET of one. @param find rejects with the 404 */
  get(declared: Declared, find: (ref: Ref, request: Asked<Who, Static<P>>) => Promise<S>): Route {
    const { onePath, params, schema, show, tagOf, refOf, absent } = this.#kind;
    return this.#declare({
      ...this.#common('get', declared, [absent]),
      method: 'GET',
      path: onePath,
      params,
      ...conditionalGet(schema),
      async handle(request) {
        const found = await find(refOf(request), request);
        return taggedUnlessCurrent(request.header('If-None-Match'), show(found), tagOf(found));
      },
    });
  }

  /** PATCH of one. @param change rejects with the 404 */
  update<B extends TObject, Q extends TObject>(
    declared: DeclaredWrite<B, Q>,
    change: Change<Who, Ref, S, Static<P>, Static<B>, Static<Q>>,
  ): Route {
    return this.#write('PATCH', declared, change);
  }

  /** PUT of a kind of which a workspace or environment has one. */
  set<B extends TObject, Q extends TObject>(
    declared: DeclaredWrite<B, Q>,
    put: Change<Who, Ref, S, Static<P>, Static<B>, Static<Q>>,
  ): Route {
    return this.#write('PUT', declared, put);
  }

  #write<B extends TObject, Q extends TObject>(
    method: 'PATCH' | 'PUT',
    declared: DeclaredWrite<B, Q>,
    change: Change<Who, Ref, S, Static<P>, Static<B>, Static<Q>>,
  ): Route {
    const { onePath, params, schema, show, tagOf, absent } = this.#kind;
    const writingOf = this.#writingOf;
    const [verb, missing] = method === 'PATCH' ? ['update', absent] : ['set', undefined];
    return this.#declare({
      ...this.#common(verb, declared, [missing, 'precondition_failed']),
      method,
      path: onePath,
      params,
      ...conditionalWrite(schema),
      async handle(request) {
        const changed = await change({ ...writingOf(request), body: request.body }, request);
        return tagged(200, show(changed), tagOf(changed));
      },
    });
  }

  /** DELETE of one. @param remove may reject with the 404 */
  remove(
    declared: Declared,
    remove: (writing: Writing<Ref, S>, request: Asked<Who, Static<P>>) => Promise<unknown>,
  ): Route {
    const { params, onePath, absent } = this.#kind;
    const writingOf = this.#writingOf;
    return this.#declare({
      ...this.#common('delete', declared, ['precondition_failed']),
      method: 'DELETE',
      path: onePath,
      params,
      requestHeaders: ['If-Match'],
      replies: { 204: null },
      async handle(request) {
        await remove(writingOf(request), request).catch((error: unknown) => {
          if (!(error instanceof Problem) || error.code !== absent) throw error;
        });
        return { status: 204 };
      },
    });
  }

  readonly #writingOf = (request: Asked<Who, Static<P>>): Writing<Ref, S> => {
    const { refOf, tagOf, name } = this.#kind;
    const ifMatch = request.header('If-Match');
    return {
      actor: actorOf(request),
      ref: refOf(request),
      match(present) {
        if (present !== undefined) requireMatch(ifMatch, tagOf(present));
        else if (ifMatch !== undefined)
          throw new Problem('precondition_failed', `If-Match names a ${name.toLowerCase()}, and there is none.`);
      },
    };
  };

  /** What the declarations of all operations have: their ids, and what they refuse with. @param usual which the verb brings */
  #common<D extends Declared>(
    verb: string,
    declared: D,
    usual: readonly (ProblemCode | undefined)[] = [],
    name = this.#kind.name,
  ): D & Pick<Operation, 'operationId' | 'tag' | 'problems'> {
    const { tag, parent, problems = [] } = this.#kind;
    const own = [parent, ...usual].filter((code) => code !== undefined);
    return {
      operationId: `${verb}${name}`,
      tag,
      ...declared,
      problems: [...own, ...(declared.problems ?? []), ...problems],
    };
  }
}
