import { isUuid, newId } from '../storage/ids.js';
import { keysMeant } from './keys.js';
import { namespaceOf } from './dmnNamespace.js';

/** A decision's key, and what its working copy holds. */
export interface DecisionEntry {
  readonly id: string;
  readonly key: string;
  /** SHA-256 (hex) of the working copy. */
  readonly contentHash: string;
  /** Errors of the working copy: with any, it can't be saved as a version. */
  readonly faults: number;
  readonly warnings: number;
  /** 0 before the first version. */
  readonly latestVersion: number;
  /** Of a working copy that is a DMN document, where it is known. */
  readonly namespace?: string | undefined;
  /** Counts the changes of all the above, from 1. */
  readonly revision: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** A decision that is not stored yet, without faults. */
export function newEntry(key: string, { hash, text }: NewContent, at = new Date()): DecisionEntry {
  const counts = { faults: 0, warnings: 0, latestVersion: 0, revision: 1 };
  return { id: newId(), key, contentHash: hash, namespace: namespaceOf(text), ...counts, createdAt: at, updatedAt: at };
}

/** An entry with another working copy. */
export const withContent = (entry: DecisionEntry, { hash, text }: NewContent): DecisionEntry => ({
  ...entry,
  contentHash: hash,
  namespace: namespaceOf(text),
});

interface NewContent {
  readonly hash: string;
  readonly text: string | Uint8Array;
}

/** The entry after a change at that time. */
export const revised = (entry: DecisionEntry, at: Date): DecisionEntry => ({
  ...entry,
  revision: entry.revision + 1,
  updatedAt: at,
});

/** A name that a decision node gives, and the key of its decision. */
interface UsedName {
  readonly name: string;
  readonly usedBy: string;
}

export interface WantedEntries {
  readonly keys?: readonly string[];
  readonly ids?: readonly string[];
  /** Of DMN documents. */
  readonly namespaces?: readonly string[];
}

/** Reads entries by their keys and ids; what is not there is absent from the result. */
type ReadEntries = (wanted: Required<WantedEntries>) => Promise<readonly DecisionEntry[]>;

/** The entries that have been read; undefined stands for one that does not exist. */
class LoadedEntries {
  readonly #keys = new Map<string, DecisionEntry | undefined>();
  readonly #ids = new Map<string, DecisionEntry | undefined>();
  readonly #namespaces = new Map<string, DecisionEntry[]>();
  readonly #read: ReadEntries;

  constructor(read: ReadEntries) {
    this.#read = read;
  }

  hasReadKey = (key: string): boolean => this.#keys.has(key);
  #hasReadId = (id: string): boolean => this.#ids.has(id);

  byKey(key: string): DecisionEntry | undefined {
    if (this.hasReadKey(key)) return this.#keys.get(key);
    throw new Error(`the decision ${JSON.stringify(key)} was not read before it was looked up`);
  }

  byId(id: string): DecisionEntry | undefined {
    if (this.#hasReadId(id)) return this.#ids.get(id);
    throw new Error(`the decision ${id} was not read before it was looked up`);
  }

  /** Those whose documents have a namespace, as far as they were read. */
  byNamespace = (namespace: string): readonly DecisionEntry[] => this.#namespaces.get(namespace) ?? [];

  async read({ keys = [], ids = [], namespaces = [] }: WantedEntries): Promise<void> {
    const absent = {
      keys: [...new Set(keys)].filter((key) => !this.hasReadKey(key)),
      ids: [...new Set(ids)].filter((id) => !this.#hasReadId(id)),
      namespaces: [...new Set(namespaces)].filter((namespace) => !this.#namespaces.has(namespace)),
    };
    const count = absent.keys.length + absent.ids.length + absent.namespaces.length;
    if (count === 0) return;
    const found = await this.#read(absent);
    for (const key of absent.keys) this.#keys.set(key, undefined);
    for (const id of absent.ids) this.#ids.set(id, undefined);
    for (const namespace of absent.namespaces) this.#namespaces.set(namespace, []);
    for (const entry of found) this.#add(entry);
  }

  #add(entry: DecisionEntry): void {
    this.#keys.set(entry.key, entry);
    this.#ids.set(entry.id, entry);
    const { namespace } = entry;
    if (namespace !== undefined) this.#namespaces.set(namespace, [...this.byNamespace(namespace), entry]);
  }
}

/**
 * The decisions of a workspace or of files, and entries that are to replace some of them. Only those are read that are asked for, so that nothing costs more where there are many; `byKey`, `find` and `resolve` throw
 * for what was not read before.
 */
export class DecisionIndex {
  readonly #entries: LoadedEntries;
  readonly #changed: ReadonlyMap<string, DecisionEntry>;
  readonly #changedKeys: ReadonlyMap<string, DecisionEntry>;

  private constructor(entries: LoadedEntries, changed: readonly DecisionEntry[] = []) {
    this.#entries = entries;
    this.#changed = new Map(changed.map((entry) => [entry.id, entry]));
    this.#changedKeys = new Map(changed.map((entry) => [entry.key, entry]));
  }

  /** Of a workspace, or of files, of which nothing has been read yet. */
  static ofWorkspace(read: ReadEntries): DecisionIndex {
    return new DecisionIndex(new LoadedEntries(read));
  }

  /** Reads these entries, unless they have been read. */
  read = (wanted: WantedEntries): Promise<void> => this.#entries.read(wanted);

  /** Reads the entries that the names may mean, as far as they have not been read. */
  async load(names: readonly UsedName[]): Promise<void> {
    const keys: string[] = [];
    const ids: string[] = [];
    for (const { name, usedBy } of names) {
      const unknown: string[] = [];
      const found = keysMeant(name, usedBy).some((key) => {
        if (this.#changedKeys.has(key)) return true;
        if (this.#entries.hasReadKey(key)) return this.byKey(key) !== undefined;
        unknown.push(key);
        return false;
      });
      keys.push(...unknown);
      if (!found && isUuid(name)) ids.push(name.toLowerCase());
    }
    await this.read({ keys, ids });
    const namespaces = names.filter(({ name, usedBy }) => this.resolve(name, usedBy) === undefined);
    await this.read({ namespaces: namespaces.map(({ name }) => name) });
  }

  byKey(key: string): DecisionEntry | undefined {
    const changed = this.#changedKeys.get(key);
    if (changed !== undefined) return changed;
    const stored = this.#entries.byKey(key);
    return stored === undefined || this.#changed.has(stored.id) ? undefined : stored;
  }

  /** By key or UUID, as people name a decision. */
  find(keyOrId: string): DecisionEntry | undefined {
    return isUuid(keyOrId) ? this.#byId(keyOrId.toLowerCase()) : this.byKey(keyOrId.normalize('NFC'));
  }

  /** What a decision node's `content.key`, or an import of DMN, names in the decision `usedBy` (a key): a key, an id, a namespace. */
  resolve(name: string, usedBy: string): DecisionEntry | undefined {
    for (const key of keysMeant(name, usedBy)) {
      const found = this.byKey(key);
      if (found !== undefined) return found;
    }
    return (isUuid(name) ? this.#byId(name.toLowerCase()) : undefined) ?? this.#byNamespace(name, usedBy);
  }

  /** Of several documents of one namespace the nearest one: most folders in common, then the first by key. */
  #byNamespace(namespace: string, usedBy: string): DecisionEntry | undefined {
    const changed = [...this.#changed.values()].filter((entry) => entry.namespace === namespace);
    const stored = this.#entries.byNamespace(namespace).filter(({ id }) => !this.#changed.has(id));
    const folders = usedBy.split('/').slice(0, -1);
    const common = ({ key }: DecisionEntry): number => {
      const differs = folders.findIndex((folder, at) => key.split('/')[at] !== folder);
      return differs === -1 ? folders.length : differs;
    };
    const byNearness = (one: DecisionEntry, other: DecisionEntry): number =>
      common(other) - common(one) || (one.key < other.key ? -1 : 1);
    const [nearest] = [...changed, ...stored].filter(({ key }) => key !== usedBy).sort(byNearness);
    return nearest;
  }

  /** The index with these entries in place of those with the same ids or keys. */
  with(entries: readonly DecisionEntry[]): DecisionIndex {
    const replaced = new Set(entries.map(({ id }) => id));
    const others = [...this.#changed.values()].filter(({ id }) => !replaced.has(id));
    return new DecisionIndex(this.#entries, [...others, ...entries]);
  }

  /** The decision of that key with another working copy, or a new one. */
  entryWith(key: string, content: NewContent, at?: Date): DecisionEntry {
    const stored = this.byKey(key);
    return stored === undefined ? newEntry(key, content, at) : withContent(stored, content);
  }

  #byId = (id: string): DecisionEntry | undefined => this.#changed.get(id) ?? this.#entries.byId(id);
}
