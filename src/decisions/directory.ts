import { isUuid, newId } from '../storage/ids.js';
import { keysMeant } from './keys.js';

/** A decision's key, and what its working copy holds. */
export interface DirectoryEntry {
  readonly id: string;
  readonly key: string;
  /** SHA-256 (hex) of the working copy. */
  readonly contentHash: string;
  /** Errors of the working copy: with any, it can't be saved as a version. */
  readonly faults: number;
  readonly warnings: number;
  /** 0 before the first version. */
  readonly latestVersion: number;
  /** Counts the changes of all the above, from 1. */
  readonly revision: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** A decision that is not stored yet, without faults. */
export function newEntry(key: string, contentHash: string, at = new Date()): DirectoryEntry {
  const counts = { faults: 0, warnings: 0, latestVersion: 0, revision: 1 };
  return { id: newId(), key, contentHash, ...counts, createdAt: at, updatedAt: at };
}

/** The entry after a change at that time. */
export const revised = (entry: DirectoryEntry, at: Date): DirectoryEntry => ({
  ...entry,
  revision: entry.revision + 1,
  updatedAt: at,
});

/** A name that a decision node gives, and the key of its decision. */
export interface UsedName {
  readonly name: string;
  readonly usedBy: string;
}

export interface WantedEntries {
  readonly keys?: readonly string[];
  readonly ids?: readonly string[];
}

/** Reads entries by their keys and ids; what is not there is absent from the result. */
export type ReadEntries = (wanted: Required<WantedEntries>) => Promise<readonly DirectoryEntry[]>;

/**
 * The decisions of one place, a workspace or a set of files. Of a workspace only those are read that somebody asks for, so
 * that nothing costs more where there are many; `byKey`, `find` and `resolve` throw for what was not read before.
 */
export interface Directory {
  /** Reads these, unless they are known. */
  read(wanted: WantedEntries): Promise<void>;
  /** Reads what the names may mean, as far as it is not known. */
  load(names: readonly UsedName[]): Promise<void>;
  byKey(key: string): DirectoryEntry | undefined;
  /** By key or UUID, as people name a decision. */
  find(keyOrId: string): DirectoryEntry | undefined;
  /** What a decision node's `content.key` names, in the decision `usedBy` (a key). */
  resolve(name: string, usedBy: string): DirectoryEntry | undefined;
  /** The directory with these entries in place of those with the same ids or keys. */
  with(entries: readonly DirectoryEntry[]): Directory;
}

/** A directory of a set of files, all of which are known. */
export const createDirectory = (entries: Iterable<DirectoryEntry>): Directory =>
  new PartialDirectory(new KnownEntries(entries, undefined));

/** A directory of a workspace, of which nothing is known yet. */
export const createPartialDirectory = (read: ReadEntries): Directory =>
  new PartialDirectory(new KnownEntries([], read));

/** What has been read; undefined stands for what is not there. */
class KnownEntries {
  readonly #keys = new Map<string, DirectoryEntry | undefined>();
  readonly #ids = new Map<string, DirectoryEntry | undefined>();
  readonly #read: ReadEntries | undefined;

  /** @param read undefined where there are no others */
  constructor(entries: Iterable<DirectoryEntry>, read: ReadEntries | undefined) {
    this.#read = read;
    for (const entry of entries) this.#add(entry);
  }

  knowsKey = (key: string): boolean => this.#read === undefined || this.#keys.has(key);
  knowsId = (id: string): boolean => this.#read === undefined || this.#ids.has(id);

  byKey(key: string): DirectoryEntry | undefined {
    if (!this.knowsKey(key))
      throw new Error(`the decision ${JSON.stringify(key)} was not read before it was looked up`);
    return this.#keys.get(key);
  }

  byId(id: string): DirectoryEntry | undefined {
    if (!this.knowsId(id)) throw new Error(`the decision ${id} was not read before it was looked up`);
    return this.#ids.get(id);
  }

  async read({ keys = [], ids = [] }: WantedEntries): Promise<void> {
    const absent = {
      keys: [...new Set(keys)].filter((key) => !this.knowsKey(key)),
      ids: [...new Set(ids)].filter((id) => !this.knowsId(id)),
    };
    if (this.#read === undefined || absent.keys.length + absent.ids.length === 0) return;
    const found = await this.#read(absent);
    for (const key of absent.keys) this.#keys.set(key, undefined);
    for (const id of absent.ids) this.#ids.set(id, undefined);
    for (const entry of found) this.#add(entry);
  }

  #add(entry: DirectoryEntry): void {
    this.#keys.set(entry.key, entry);
    this.#ids.set(entry.id, entry);
  }
}

/** What is known of a place, and entries that stand before it. */
class PartialDirectory implements Directory {
  readonly #known: KnownEntries;
  readonly #changed: ReadonlyMap<string, DirectoryEntry>;
  readonly #changedKeys: ReadonlyMap<string, DirectoryEntry>;

  constructor(known: KnownEntries, changed: readonly DirectoryEntry[] = []) {
    this.#known = known;
    this.#changed = new Map(changed.map((entry) => [entry.id, entry]));
    this.#changedKeys = new Map(changed.map((entry) => [entry.key, entry]));
  }

  read = (wanted: WantedEntries): Promise<void> => this.#known.read(wanted);

  async load(names: readonly UsedName[]): Promise<void> {
    const keys: string[] = [];
    const ids: string[] = [];
    for (const { name, usedBy } of names) {
      const unknown: string[] = [];
      const found = keysMeant(name, usedBy).some((key) => {
        if (this.#changedKeys.has(key)) return true;
        if (this.#known.knowsKey(key)) return this.byKey(key) !== undefined;
        unknown.push(key);
        return false;
      });
      keys.push(...unknown);
      if (!found && isUuid(name)) ids.push(name.toLowerCase());
    }
    await this.read({ keys, ids });
  }

  byKey(key: string): DirectoryEntry | undefined {
    const changed = this.#changedKeys.get(key);
    if (changed !== undefined) return changed;
    const known = this.#known.byKey(key);
    return known === undefined || this.#changed.has(known.id) ? undefined : known;
  }

  find(keyOrId: string): DirectoryEntry | undefined {
    return isUuid(keyOrId) ? this.#byId(keyOrId.toLowerCase()) : this.byKey(keyOrId.normalize('NFC'));
  }

  resolve(name: string, usedBy: string): DirectoryEntry | undefined {
    for (const key of keysMeant(name, usedBy)) {
      const found = this.byKey(key);
      if (found !== undefined) return found;
    }
    return isUuid(name) ? this.#byId(name.toLowerCase()) : undefined;
  }

  with(entries: readonly DirectoryEntry[]): Directory {
    const replaced = new Set(entries.map(({ id }) => id));
    const others = [...this.#changed.values()].filter(({ id }) => !replaced.has(id));
    return new PartialDirectory(this.#known, [...others, ...entries]);
  }

  #byId = (id: string): DirectoryEntry | undefined => this.#changed.get(id) ?? this.#known.byId(id);
}
