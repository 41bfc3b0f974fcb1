import { expect } from 'chai';
import { idToBytes } from '../../../src/storage/ids.js';
import { bootApp, type TestApp } from '../../support/app.js';
import { eventually } from '../../support/eventually.js';
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
  /** The rows of a world as they were read last, where no request since may have changed them. */
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
  get crossings(): readonly { readonly askers: readonly World[]; readonly owner: World }[] {
    const { mine, sibling, stranger } = this;
    return [
      { askers: [mine], owner: sibling },
      { askers: [mine], owner: stranger },
      { askers: [sibling, stranger], owner: mine },
    ];
  }

  /** Whose rows an operation may change that is asked for by `asker` in its own workspace. */
  changedBy({ inWorkspace }: Described, asker: World): readonly World[] {
    if (inWorkspace) return [asker];
    return [this.mine, this.sibling, this.stranger].filter(({ tenantId }) => tenantId === asker.tenantId);
  }

  /** To be called where something is written in another way than by `ask`. */
  forgetRows(): void {
    this.#lastRows.clear();
  }

  operation(id: string): Described {
    return operations.get(id) ?? expect.fail(`no operation ${id}`);
  }

  ask(operation: Described, named: Named, as: As): Promise<Answer> {
    this.forgetRows();
    return send(this.app.baseUrl, operation, named, as);
  }

  /**
   * Nothing of theirs in the answers, and nothing of theirs is other than before. One reading after all of the requests
   * tells of each: what was written, and written back, would leave its audit entries. What was read after the requests before
   * is compared with, and not read again.
   * @param changed whose rows the requests may change
   */
  async untouched(
    theirs: readonly World[],
    requests: readonly (() => Promise<Answer>)[],
    changed: readonly World[] = [],
  ): Promise<readonly Answer[]> {
    if (requests.length === 0) return [];
    const before = await Promise.all(
      theirs.map(async (world) => this.#lastRows.get(world) ?? this.#readSettled(world)),
    );
    const known = [...this.#lastRows];
    const answers: Answer[] = [];
    for (const request of requests) answers.push(await request());
    for (const [world, rows] of known) if (!changed.includes(world)) this.#lastRows.set(world, rows);
    const after = await Promise.all(theirs.map((world) => this.#readRows(world)));
    for (const [at, world] of theirs.entries()) {
      const { mark, name } = world;
      expect(after[at], `rows of ${name}`).to.equal(before[at]);
      expect(after[at], `what is read of ${name}`).to.include(Buffer.from(mark).toString('hex').toUpperCase());
      for (const answer of answers) expect(JSON.stringify(answer), `something of ${name}`).to.not.include(mark);
      this.#lastRows.set(world, after[at] ?? '');
    }
    return answers;
  }

  /** Once what the world's own requests have told of is in the outbox, and its messages to people have been sent. */
  async #readSettled(world: World): Promise<string> {
    const [workspace_id, tenant_id] = [idToBytes(world.workspaceId), idToBytes(world.tenantId)];
    const { database } = this.store;
    await eventually(async () => {
      const told = database('events').where({ workspace_id }).select<object[]>('id');
      const sent = database('outbox').where({ tenant_id, state: 'pending' }).whereIn('channel', ['SMS', 'EMAIL']);
      return (await told).length + (await sent.select<object[]>('id')).length === 0;
    });
    return this.#readRows(world);
  }
}
