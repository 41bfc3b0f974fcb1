import { expect } from 'chai';
import { bootApp, type TestApp } from '../../support/app.js';
import { openStore, type Store } from '../../support/factories.js';
import type { Answer } from '../../support/http.js';
import { operations, send, type As, type Described } from '../../support/operations/operations.js';
import type { Named } from '../../support/operations/reach.js';
import { buildWorld, createReadRows, type ReadRows, type World } from '../../support/operations/world.js';

/** Three workspaces with everything in them, and every operation that is to keep them apart. */
export class Matrix {
  readonly app: TestApp;
  readonly store: Store;
  readonly operations = operations;
  readonly mine: World;
  /** Another workspace of the same tenant, with another client. */
  readonly sibling: World;
  /** Another tenant. */
  readonly stranger: World;
  readonly #readRows: ReadRows;
  /** The rows of a world as they were after the last request, where that was to leave them alone. */
  readonly #lastRows = new Map<World, string>();

  private constructor(parts: Pick<Matrix, 'app' | 'store' | 'mine' | 'sibling' | 'stranger'>, readRows: ReadRows) {
    this.app = parts.app;
    this.store = parts.store;
    this.mine = parts.mine;
    this.sibling = parts.sibling;
    this.stranger = parts.stranger;
    this.#readRows = readRows;
  }

  /** @param settings of the server, beside the usual ones */
  static async open(settings: Readonly<Record<string, string>> = {}): Promise<Matrix> {
    const store = openStore();
    const app = await bootApp(settings);
    const mine = await buildWorld(app, store, 'mine');
    const sibling = await buildWorld(app, store, 'sibling', mine.tenantId);
    const stranger = await buildWorld(app, store, 'stranger');
    return new Matrix({ app, store, mine, sibling, stranger }, await createReadRows(store.database));
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
    return operations.get(id) ?? expect.fail(`no operation ${id}`);
  }

  ask(operation: Described, named: Named, as: As): Promise<Answer> {
    this.#lastRows.clear();
    return send(this.app.baseUrl, operation, named, as);
  }

  /**
   * Nothing of theirs in the answers, and nothing of theirs is other than before. One reading after all of the requests
   * tells of each: what was written, and written back, would leave its audit entries.
   */
  async untouched(theirs: readonly World[], requests: readonly (() => Promise<Answer>)[]): Promise<readonly Answer[]> {
    if (requests.length === 0) return [];
    const read = (world: World): Promise<string> => this.#readRows(world);
    const before = await Promise.all(theirs.map(async (world) => this.#lastRows.get(world) ?? read(world)));
    const answers: Answer[] = [];
    for (const request of requests) answers.push(await request());
    const after = await Promise.all(theirs.map(read));
    for (const [at, world] of theirs.entries()) {
      const { mark, name } = world;
      expect(after[at], `rows of ${name}`).to.equal(before[at]);
      expect(after[at], `what is read of ${name}`).to.include(Buffer.from(mark).toString('hex').toUpperCase());
      for (const answer of answers) expect(JSON.stringify(answer), `something of ${name}`).to.not.include(mark);
      this.#lastRows.set(world, after[at] ?? '');
    }
    return answers;
  }
}
