import { expect } from 'chai';
import type { ProblemCode } from '../../../src/errors.js';
import { bootApp, type TestApp } from '../../support/app.js';
import { expectProblem } from '../../support/asserts.js';
import { openStore, type Store } from '../../support/factories.js';
import { call, type Answer } from '../../support/http.js';
import type { OpenApi } from '../../support/openapi.js';
import type { Named } from './reach.js';
import { buildWorld, createReadRows, type ReadRows, type World } from './world.js';

/** A protected operation of the OpenAPI document. */
export interface Described {
  readonly method: string;
  readonly path: string;
  readonly scope: string;
  /** Each of which is enough; `scope` is the first of them. */
  readonly scopes: readonly string[];
  /** Whether the operation is about a workspace, or about the client's tenant. */
  readonly inWorkspace: boolean;
}

/** Who asks, in which workspace: two headers. */
export interface As {
  readonly authorization: string | undefined;
  readonly workspaceId: string;
}

/** Three workspaces with everything in them, and every operation that is to keep them apart. */
export class Matrix {
  readonly app: TestApp;
  readonly store: Store;
  readonly document: OpenApi;
  readonly operations: ReadonlyMap<string, Described>;
  readonly mine: World;
  /** Another workspace of the same tenant, with another client. */
  readonly sibling: World;
  /** Another tenant. */
  readonly stranger: World;
  readonly #readRows: ReadRows;
  /** The rows of a world as they were after the last request, where that was to leave them alone. */
  readonly #lastRows = new Map<World, string>();

  private constructor(
    parts: Pick<Matrix, 'app' | 'store' | 'document' | 'mine' | 'sibling' | 'stranger'>,
    readRows: ReadRows,
  ) {
    this.app = parts.app;
    this.store = parts.store;
    this.document = parts.document;
    this.operations = operationsOf(parts.document);
    this.mine = parts.mine;
    this.sibling = parts.sibling;
    this.stranger = parts.stranger;
    this.#readRows = readRows;
  }

  /** @param settings of the server, beside the usual ones */
  static async open(settings: Readonly<Record<string, string>> = {}): Promise<Matrix> {
    const store = openStore();
    const app = await bootApp(settings);
    const document = (await call(`${app.baseUrl}/openapi.json`)).body as OpenApi;
    const mine = await buildWorld(app, store, 'mine');
    const sibling = await buildWorld(app, store, 'sibling', mine.tenantId);
    const stranger = await buildWorld(app, store, 'stranger');
    return new Matrix({ app, store, document, mine, sibling, stranger }, await createReadRows(store.database));
  }

  async close(): Promise<void> {
    await this.app.stop();
    await this.store.close();
  }

  /** Who asks in whose workspace, not being of it. */
  get crossings(): readonly { readonly asker: World; readonly owner: World }[] {
    const { mine, sibling, stranger } = this;
    return [sibling, stranger].flatMap((other) => [
      { asker: mine, owner: other },
      { asker: other, owner: mine },
    ]);
  }

  operation(id: string): Described {
    return this.operations.get(id) ?? expect.fail(`no operation ${id}`);
  }

  ask(operation: Described, named: Named, { authorization, workspaceId }: As): Promise<Answer> {
    this.#lastRows.clear();
    const { params = {}, query = '', body, headers = {} } = named;
    return call(this.app.baseUrl + pathOf(operation, params) + query, {
      method: operation.method,
      headers: {
        ...(authorization === undefined ? {} : { Authorization: authorization }),
        ...(operation.inWorkspace ? { 'X-Workspace-Id': workspaceId } : {}),
        ...headers,
      },
      body,
    });
  }

  /** Nothing of theirs in the answer, and nothing of theirs is other than before. */
  async untouched(theirs: readonly World[], work: () => Promise<Answer>): Promise<Answer> {
    const read = (world: World): Promise<string> => this.#readRows(world);
    const before = await Promise.all(theirs.map(async (world) => this.#lastRows.get(world) ?? read(world)));
    const answer = await work();
    const after = await Promise.all(theirs.map(read));
    for (const [at, world] of theirs.entries()) {
      const { mark, name } = world;
      expect(after[at], `rows of ${name}`).to.equal(before[at]);
      expect(after[at], `what is read of ${name}`).to.include(Buffer.from(mark).toString('hex').toUpperCase());
      expect(JSON.stringify(answer), `something of ${name}`).to.not.include(mark);
      this.#lastRows.set(world, after[at] ?? '');
    }
    return answer;
  }
}

export const pathOf = ({ path }: Described, params: Named['params'] = {}): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => params[name] ?? expect.fail(`${name} of ${path} is not named`));

export function refused(
  answer: Answer,
  code: ProblemCode,
  path: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  const { errors, faults } = answer.body as { errors?: []; faults?: [] };
  expectProblem(answer, code, {
    instance: path,
    headers,
    ...(errors === undefined ? {} : { errors }),
    ...(faults === undefined ? {} : { extensions: { faults } }),
  });
}

/** Of the document, by operationId; those that ask for a scope. */
function operationsOf(document: OpenApi): ReadonlyMap<string, Described> {
  const operations = new Map<string, Described>();
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const security = operation['security'] as Record<string, string[]>[];
      const scopes = security.flatMap((one) => one['bearer'] ?? []);
      const [scope] = scopes;
      const inWorkspace = JSON.stringify(operation['parameters'] ?? '').includes('X-Workspace-Id');
      if (scope !== undefined) {
        operations.set(operation.operationId, { method: method.toUpperCase(), path, scope, scopes, inWorkspace });
      }
    }
  }
  return operations;
}
