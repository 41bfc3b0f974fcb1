import type { Knex } from 'knex';
import type { Logger } from 'pino';
import { findTree, noteWitnessed, pageOfTrees } from './trees.store.js';
import type { Witness } from './witness.js';

/** Heads that are on their way at once. */
const atOnce = 8;
const pageSize = 500;

/** Sends heads to the witness beside sequencing, which never waits for it. */
export class Sending {
  readonly #database: Knex;
  readonly #witness: Witness;
  readonly #log: Pick<Logger, 'warn'>;
  readonly #apartMs: number;
  /** Workspaces whose newest head the witness lacks, and when it is next tried. */
  readonly #due = new Map<string, number>();
  #running: Promise<void> | undefined;
  #isLoaded = false;

  /** @param apartMs between two heads of one workspace, in milliseconds */
  constructor(database: Knex, witness: Witness, log: Pick<Logger, 'warn'>, apartMs: number) {
    this.#apartMs = apartMs;
    this.#database = database;
    this.#witness = witness;
    this.#log = log;
  }

  /** The tree of that workspace has grown. */
  grown(workspaceId: string): void {
    if (!this.#due.has(workspaceId)) this.#due.set(workspaceId, 0);
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
    if (!this.#isLoaded) await this.#load();
    this.#isLoaded = true;
    const now = performance.now();
    const due = [...this.#due].filter(([, at]) => at <= now).map(([workspaceId]) => workspaceId);
    const next = async (): Promise<void> => {
      for (let one = due.pop(); one !== undefined; one = due.pop()) await this.#sendOne(one);
    };
    await Promise.all(Array.from({ length: atOnce }, next));
  }

  /** What this process or another had not sent when it ended. */
  async #load(): Promise<void> {
    for (let after: string | null = null; ;) {
      const page = await pageOfTrees(this.#database, after, pageSize);
      for (const { workspaceId, size, witnessed } of page) if (witnessed < size) this.grown(workspaceId);
      const last = page.at(-1);
      if (last === undefined || page.length < pageSize) return;
      after = last.workspaceId;
    }
  }

  async #sendOne(workspaceId: string): Promise<void> {
    const tree = await findTree(this.#database, workspaceId);
    if (tree === undefined || tree.witnessed >= tree.size) return void this.#due.delete(workspaceId);
    // Kept until the next time finds that nothing is left, so that heads are apart.
    this.#due.set(workspaceId, performance.now() + this.#apartMs);
    const { size, checkpoint, generation } = tree;
    try {
      await this.#witness({ workspaceId, generation, size, checkpoint });
      await noteWitnessed(this.#database, workspaceId, size);
    } catch (error) {
      this.#log.warn({ err: error, workspaceId, size }, 'the witness did not take a head; it is sent again');
    }
  }
}
