import type { Knex } from 'knex';
import type { Logger } from 'pino';
import type { ComparisonSettings } from '../../workers/models/index.js';
import { createWakeSignal } from '../storage/wakeSignal.js';
import { Comparer, type CompareDependencies, type ComparedRun } from './comparer.js';
import { settingsOf } from './request.js';
import type { CreateShadow } from './shadows.schema.js';
import { addTallies, listRunningShadows, type StoredShadow } from './shadows.store.js';
import { Tallies } from './tallies.js';

/** An execution that was recorded, as it was recorded. */
export interface LiveRun {
  readonly workspaceId: string;
  readonly environmentId: string;
  readonly decisionId: string;
  readonly version: number;
  readonly status: 'COMPLETED' | 'FAILED';
  readonly fact: string | null;
  readonly result: string;
  readonly circumstances: Pick<ComparedRun, 'clock' | 'seed' | 'factRedacted'>;
}

/** Runs live executions on other versions too, when there is time. */
export interface Shadows {
  /** To be called with every execution that is recorded; never throws, and costs next to nothing where there is no shadow. */
  offer(run: LiveRun): void;
  /** Reads which shadows run; to be awaited after a change of them. */
  refresh(): Promise<void>;
  start(): void;
  /** Counts what was not run as dropped, and writes all counts. */
  stop(): Promise<void>;
}

interface Dependencies extends CompareDependencies {
  readonly database: Knex;
  readonly log: Pick<Logger, 'warn'>;
  /** How often shadows are looked for, and counts written, in milliseconds. */
  readonly pollMs: number;
}

/** Shadows that a process serves. */
const maxServed = 1000;
/** Executions that wait for one shadow, and characters of their texts; and of those for all shadows together. */
const maxWaiting = 1000;
const maxLength = 4 * 1024 * 1024;
const maxLengthOfAll = 32 * 1024 * 1024;
/** How long executions are gathered, so that a thread has several at once. */
const gatherMs = 25;

/** A shadow, as a process serves it. */
interface Served {
  readonly id: string;
  readonly workspaceId: string;
  /** Workspace, environment and decision. */
  readonly place: string;
  readonly sample: number;
  readonly expiresAt: number;
  readonly settings: ComparisonSettings;
  readonly comparer: Comparer;
  waiting: ComparedRun[];
  /** Characters of those. */
  length: number;
  tallies: Tallies;
}

export function createShadows(dependencies: Dependencies): Shadows {
  return new Server(dependencies);
}

class Server implements Shadows {
  readonly #parts: Dependencies;
  /** By workspace, environment and decision. */
  #byPlace = new Map<string, Served[]>();
  #served = new Map<string, Served>();
  #length = 0;
  #pumping = false;
  #pumped: Promise<void> = Promise.resolve();
  readonly #ending = new AbortController();
  readonly #wakeSignal = createWakeSignal();
  #loop: Promise<void> | undefined;

  constructor(parts: Dependencies) {
    this.#parts = parts;
  }

  offer(run: LiveRun): void {
    if (this.#byPlace.size === 0) return;
    const shadows = this.#byPlace.get(placeOf(run));
    if (shadows === undefined || this.#isStopping()) return;
    for (const shadow of shadows) {
      if (shadow.sample < 1 && Math.random() >= shadow.sample) continue;
      if (shadow.expiresAt <= Date.now()) continue;
      this.#push(shadow, run);
    }
  }

  #isStopping(): boolean {
    return this.#ending.signal.aborted;
  }

  #push(shadow: Served, { version, status, fact, result, circumstances }: LiveRun): void {
    const length = (fact?.length ?? 0) + result.length;
    const isFull =
      shadow.waiting.length >= maxWaiting ||
      shadow.length + length > maxLength ||
      this.#length + length > maxLengthOfAll;
    if (isFull) {
      shadow.tallies.skip('dropped');
      return;
    }
    const { clock, seed, factRedacted } = circumstances;
    const completed = status === 'COMPLETED';
    shadow.waiting.push({ version, completed, fact, factRedacted, result, clock, seed });
    shadow.length += length;
    this.#length += length;
    if (this.#pumping) return;
    this.#pumping = true;
    // Its answer is on its way by then.
    setTimeout(() => void (this.#pumped = this.#pump()), gatherMs).unref();
  }

  /** Has threads run what waits, a piece of each shadow in turn. */
  async #pump(): Promise<void> {
    for (let found = true; found && !this.#isStopping();) {
      found = false;
      for (const shadow of this.#served.values()) {
        if (shadow.waiting.length === 0) continue;
        found = true;
        await this.#compare(shadow);
      }
    }
    this.#pumping = false;
  }

  async #compare(shadow: Served): Promise<void> {
    try {
      // What the shadow has counted so far may be written meanwhile.
      const counted = new Tallies();
      const { done } = await shadow.comparer.compareSome(shadow.waiting, counted);
      shadow.tallies.merge(counted);
      this.#drop(shadow, done);
    } catch (error) {
      // Its version may be gone, or the server stops.
      const { length } = shadow.waiting;
      this.#drop(shadow, length);
      shadow.tallies.skip('dropped', length);
      if (!this.#isStopping()) this.#parts.log.warn({ err: error, shadow: shadow.id }, 'a shadow could not be run');
    }
  }

  #drop(shadow: Served, count: number): void {
    for (const { fact, result } of shadow.waiting.splice(0, count)) {
      const length = (fact?.length ?? 0) + result.length;
      shadow.length -= length;
      this.#length -= length;
    }
  }

  async refresh(): Promise<void> {
    const rows = await listRunningShadows(this.#parts.database, maxServed);
    const ids = new Set(rows.map(({ id }) => id));
    for (const shadow of this.#served.values()) {
      if (ids.has(shadow.id)) continue;
      // It has ended: what waits for it has nobody to tell.
      this.#drop(shadow, shadow.waiting.length);
      await this.#write(shadow);
      this.#served.delete(shadow.id);
    }
    for (const row of rows) if (!this.#served.has(row.id)) this.#served.set(row.id, this.#serve(row));
    this.#byPlace = new Map();
    for (const shadow of this.#served.values()) {
      this.#byPlace.set(shadow.place, [...(this.#byPlace.get(shadow.place) ?? []), shadow]);
    }
  }

  #serve({ id, workspaceId, request, expiresAt }: StoredShadow): Served {
    const asked = JSON.parse(request) as CreateShadow;
    const settings = settingsOf(asked);
    const { environmentId, decisionId, version, sample } = asked;
    return {
      id,
      workspaceId,
      place: placeOf({ workspaceId, environmentId, decisionId }),
      sample,
      expiresAt: expiresAt.getTime(),
      settings,
      comparer: new Comparer(this.#parts, { workspaceId, environmentId, decisionId, version, settings }),
      waiting: [],
      length: 0,
      tallies: new Tallies(),
    };
  }

  async #write(shadow: Served): Promise<void> {
    const { tallies, settings } = shadow;
    if (tallies.isEmpty) return;
    shadow.tallies = new Tallies();
    try {
      await addTallies(this.#parts.database, shadow, tallies, settings.measures);
    } catch (error) {
      // Nothing was written; it is with the next.
      shadow.tallies.merge(tallies);
      throw error;
    }
  }

  async #writeAll(): Promise<void> {
    for (const shadow of this.#served.values()) await this.#write(shadow);
  }

  start(): void {
    this.#loop ??= this.#run();
  }

  async #run(): Promise<void> {
    while (!this.#isStopping()) {
      try {
        await this.#writeAll();
        await this.refresh();
      } catch (error) {
        this.#parts.log.warn({ err: error }, 'shadows cannot be read or written right now');
      }
      if (!this.#isStopping()) await this.#wakeSignal.wait(this.#parts.pollMs * (0.75 + 0.5 * Math.random()));
    }
  }

  async stop(): Promise<void> {
    this.#ending.abort();
    this.#wakeSignal.raise();
    await Promise.all([this.#loop, this.#pumped]);
    for (const shadow of this.#served.values()) {
      shadow.tallies.skip('dropped', shadow.waiting.length);
      this.#drop(shadow, shadow.waiting.length);
    }
    await this.#writeAll().catch((error: unknown) => {
      this.#parts.log.warn({ err: error }, 'counts of shadows were lost');
    });
  }
}

const placeOf = ({
  workspaceId,
  environmentId,
  decisionId,
}: Omit<LiveRun, 'version' | 'status' | 'fact' | 'result' | 'circumstances'>): string =>
  `${workspaceId}/${environmentId}/${decisionId}`;
