import { expect } from 'chai';
import { useApp } from '../../support/app.js';
import type { Answer } from '../../support/http.js';
import { operations, planOf, send, type As, type Described } from '../../support/operations/operations.js';
import type { Named } from '../../support/operations/reach.js';
import { buildWorld, createReadRows, readSettled, type ReadRows, type World } from '../../support/operations/world.js';
import { testStore } from '../../support/scene.js';

/** By server: the database is emptied before a file that does not share one, and the next server finds nothing in it. */
const worlds = new Map<string, Promise<World>>();

/** The server, a workspace with one of everything, and who may do everything there: what every rule asks. */
export class Stage {
  baseUrl = '';
  world!: World;
  #readRows!: ReadRows;
  /** The workspace's rows before work that changes none of them. */
  #before: string | undefined;

  async open({ baseUrl }: { readonly baseUrl: string }): Promise<void> {
    this.baseUrl = baseUrl;
    // Rules leave it as it is, so that all of them share it.
    let world = worlds.get(baseUrl);
    if (world === undefined) worlds.set(baseUrl, (world = buildWorld({ baseUrl }, testStore(), 'contract')));
    this.world = await world;
    this.#readRows = await createReadRows(testStore().database);
  }

  get as(): As {
    return { authorization: `Bearer ${this.world.token}`, workspaceId: this.world.workspaceId };
  }

  /** The plan's good request, but for what is `changed` of it. */
  ask(operation: Described, changed: Named = {}, as: As = this.as): Promise<Answer> {
    return send(this.baseUrl, operation, { ...planOf(operation).own(this.world), ...changed }, as);
  }

  /** Whatever the work asks for, it changes no row of the workspace and of its tenant. Told by `requireUnchanged`, of all such work. */
  async unchanged(work: () => Promise<unknown>): Promise<void> {
    this.#before ??= await readSettled(testStore().database, this.#readRows, this.world);
    await work();
  }

  /** After all of a file's work that changes nothing, and before what changes something. */
  async requireUnchanged(): Promise<void> {
    const before = this.#before;
    this.#before = undefined;
    if (before !== undefined) expect(await this.#readRows(this.world)).to.equal(before);
  }
}

export function useStage(): Stage {
  const stage = new Stage();
  const app = useApp();
  before(() => stage.open(app));
  after(() => stage.requireUnchanged());
  return stage;
}

/** Those that a rule is about. */
export const operationsThat = (are: (operation: Described) => boolean): Described[] =>
  [...operations.values()].filter(are);
