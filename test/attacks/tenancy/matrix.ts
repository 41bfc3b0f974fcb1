import { expect } from 'chai';
import { bootApp, type TestApp } from '../../support/app.js';
import { openStore, type Store } from '../../support/factories.js';
import type { Answer } from '../../support/http.js';
import { operations, send, type As, type Described } from '../../support/operations/operations.js';
import type { Named } from '../../support/operations/reach.js';
import { buildWorld, createReadRows, readSettled, type ReadRows, type World } from '../../support/operations/world.js';

/**
 * What the good request of an operation is answered with. These would take away what the others name: they are refused, as it has
 * been executed, or name another state.
 */
export const statusesOf = (id: string): readonly number[] =>
  /^delete(Environment|Deployment|Decision|Replay|Shadow|Inquiry|Client|Policy|Protection|Callback|Monitor)$/.test(
    id,
  ) || ['applyChangeRequest', 'closeChangeRequest'].includes(id)
    ? [409, 412]
    : [200, 201, 202, 204];

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
  /** The rows of a world as they were read last, which no request since may have changed. */
  readonly #before = new Map<World, string>();
  /** Worlds to be read again: there were such requests since. */
  readonly #asked = new Set<World>();

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

  operation(id: string): Described {
    return operations.get(id) ?? expect.fail(`no operation ${id}`);
  }

  ask(operation: Described, named: Named, as: As): Promise<Answer> {
    return send(this.app.baseUrl, operation, named, as);
  }

  /** To be called where something is written in another way than by `untouched`. */
  forgetRows(): void {
    this.#before.clear();
    this.#asked.clear();
  }

  /**
   * Sends requests that may change nothing of theirs, and of whose answers none has anything of theirs. Whether they changed
   * something is asked by `requireUntouched`, once for many of them: what was written, and written back, would leave its audit
   * entries.
   * @param changed whose rows the requests may change
   */
  async untouched(
    theirs: readonly World[],
    requests: readonly (() => Promise<Answer>)[],
    changed: readonly World[] = [],
  ): Promise<readonly Answer[]> {
    if (requests.length === 0) return [];
    await this.requireUntouched(changed.filter((world) => this.#asked.has(world)));
    for (const world of changed) this.#before.delete(world);
    for (const world of theirs) {
      if (!this.#before.has(world))
        this.#before.set(world, await readSettled(this.store.database, this.#readRows, world));
      this.#asked.add(world);
    }
    const answers: Answer[] = [];
    for (const request of requests) answers.push(await request());
    for (const { mark, name } of theirs)
      for (const { headers, text } of answers)
        expect(JSON.stringify(headers) + text, `something of ${name}`).to.not.include(mark);
    return answers;
  }

  /** Nothing of these worlds is other than before the requests that may not have changed it; of all of them when left out. */
  async requireUntouched(worlds: readonly World[] = [...this.#asked]): Promise<void> {
    const after = await Promise.all(worlds.map((world) => this.#readRows(world)));
    for (const [at, world] of worlds.entries()) {
      const { mark, name } = world;
      const [before, now = ''] = [this.#before.get(world), after[at]];
      this.#before.set(world, now);
      this.#asked.delete(world);
      expect(now, `rows of ${name}`).to.equal(before);
      expect(now, `what is read of ${name}`).to.include(Buffer.from(mark).toString('hex').toUpperCase());
    }
  }
}
