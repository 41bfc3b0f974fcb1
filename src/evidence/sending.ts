import type { Knex } from 'knex';
import type { Logger } from 'pino';
import type { Owners } from '../admission/owners.js';
import { TenantTurns } from '../jobs/turns.js';
import { eachTree, findTree, noteWitnessed, type Tree } from './trees.store.js';
import type { Witness } from './witness.js';

/** Heads that are on their way at once. */
const atOnce = 8;

/** Sends heads to the witness beside sequencing, which never waits for it. */
export class Sending {
  readonly #database: Knex;
  readonly #witness: Witness;
  readonly #log: Pick<Logger, 'warn'>;
  readonly #apartMs: number;
  /** Workspaces whose newest head the witness lacks, and when it is next tried. */
  readonly #due = new Map<string, number>();
  readonly #turns: TenantTurns<string>;
  #running: Promise<void> | undefined;
  #isLoaded = false;

  /** @param apartMs between two heads of one workspace, in milliseconds */
  constructor(
    database: Knex,
    witness: Witness,
    log: Pick<Logger, 'warn'>,
    { apartMs, owners }: { readonly apartMs: number; readonly owners: Owners },
  ) {
    this.#apartMs = apartMs;
    this.#turns = new TenantTurns((workspaceId) => owners.of(workspaceId));
    this.#database = database;
    this.#witness = witness;
    this.#log = log;
  }

  /** The tree of that workspace has grown. */
  grown(workspaceId: string): void {
    if (!this.#due.has(workspaceId)) this.#due.set(workspaceId, 0);
  }

  /** Another process sends from now on; what it has left is read when it is this one's turn again. */
  forget(): void {
    this.#due.clear();
    this.#isLoaded = false;
  }

  /** Sends what is due, unless that is under way. */
  send(): void {
    this.#running ??= this.#sendAll()
      .catch((error: unknown) => this.#log.warn({ err: error }, 'heads of evidence cannot be read right now'))
      .finally(() => (this.#running = undefined));
  }

  /** Resolves when nothing is on its way. */
  async settled(): Promise<void> {
    await this.#running;
  }

  async #sendAll(): Promise<void> {
    if (!this.#isLoaded) {
      // Before it is read: where this process forgets meanwhile, it is read once more.
      this.#isLoaded = true;
      await this.#load().catch((error: unknown) => {
        this.#isLoaded = false;
        throw error;
      });
    }
    const now = performance.now();
    this.#turns.add([...this.#due].filter(([, at]) => at <= now).map(([workspaceId]) => workspaceId));
    const next = async (): Promise<void> => {
      for (let one = this.#turns.next(); one !== undefined; one = this.#turns.next()) {
        const began = performance.now();
        await this.#sendOne(one);
        this.#turns.charge(one, performance.now() - began);
      }
    };
    // All of them end before it does: what is still on its way after a failure would be nobody's to wait for.
    const lanes = await Promise.allSettled(Array.from({ length: atOnce }, next));
    for (const lane of lanes) if (lane.status === 'rejected') throw lane.reason;
  }

  /** What this process or another had not sent when it ended. */
  async #load(): Promise<void> {
    for await (const { workspaceId, size, witnessed } of eachTree(this.#database))
      if (witnessed < size) this.grown(workspaceId);
  }

  async #sendOne(workspaceId: string): Promise<void> {
    // Kept until the next time finds that nothing is left, so that heads are apart.
    let next: number | undefined = performance.now() + this.#apartMs;
    // Whoever tells from here on that the tree has grown may have seen more than what is read now.
    this.#due.delete(workspaceId);
    try {
      const tree = await findTree(this.#database, workspaceId);
      if (tree === undefined || tree.witnessed >= tree.size) next = this.#due.get(workspaceId);
      else await this.#sendHead(tree);
    } finally {
      if (next !== undefined) this.#due.set(workspaceId, next);
    }
  }

  async #sendHead({ workspaceId, size, checkpoint, generation }: Tree): Promise<void> {
    try {
      await this.#witness({ workspaceId, generation, size, checkpoint });
      await noteWitnessed(this.#database, workspaceId, size);
    } catch (error) {
      this.#log.warn({ err: error, workspaceId, size }, 'the witness did not take a head; it is sent again');
    }
  }
}
