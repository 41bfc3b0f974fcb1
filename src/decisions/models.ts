import { subDecisionKeys, validate, type Fault } from '../../workers/engine/index.js';
import { defaultRunLimits, type RunLimits } from '../../workers/protocol.js';
import { parseExactly } from '../../workers/models/index.js';
import type { Connection } from '../storage/database.js';
import { readContents } from './contents.store.js';
import type { Directory, DirectoryEntry } from './directory.js';
import type { Document } from '../../workers/models/index.js';
import type { ModelFault } from './faults.js';
import { importLimits } from './limits.js';
import type { NamesOf } from './manifest.js';

/** Parsed models by content hash, read from the store when first asked for. */
export interface Models {
  /** Undefined for a hash that is not stored. */
  get(hash: string): Promise<unknown>;
  /** The same with every number as it was written (`parseExactly`): for showing and comparing. */
  exact(hash: string): Promise<unknown>;
  readonly namesOf: NamesOf;
  /** What they are checked and run by. */
  readonly limits: RunLimits;
}

/** @param connection null when everything that is asked for is given */
export function createModels(
  connection: Connection | null,
  given: readonly Document[],
  limits = defaultRunLimits,
): Models {
  const models = new Map<string, Pick<Document, 'text' | 'model'>>(given.map((document) => [document.hash, document]));
  const load = async (hashes: readonly string[]): Promise<void> => {
    const absent = hashes.filter((hash) => !models.has(hash));
    if (absent.length === 0 || connection === null) return;
    for (const [hash, text] of await readContents(connection, absent)) {
      models.set(hash, { text, model: JSON.parse(text) as Document['model'] });
    }
  };
  return {
    async get(hash) {
      await load([hash]);
      return models.get(hash)?.model;
    },
    async exact(hash) {
      await load([hash]);
      const found = models.get(hash);
      return found && parseExactly(found.text, found.model);
    },
    async namesOf(hashes) {
      await load(hashes);
      return new Map(hashes.map((hash) => [hash, subDecisionKeys(models.get(hash)?.model)]));
    },
    limits,
  };
}

/** Every fault of a decision's model, seen from its place in the directory. */
export function faultsOf(
  model: unknown,
  key: string,
  { directory, limits }: { readonly directory: Directory; readonly limits: RunLimits },
): ModelFault[] {
  const knows = (name: string): boolean => directory.resolve(name, key) !== undefined;
  const faults = validate(model, { knows, limits: limits.engine, timeLimitMs: importLimits.checkMs });
  return faults.map((fault) => ({ key, fault: withHint(fault) }));
}

/** The faults of stored working copies. */
export async function faultsOfStored(
  entries: readonly DirectoryEntry[],
  directory: Directory,
  models: Models,
): Promise<ModelFault[]> {
  const faults: ModelFault[] = [];
  const { limits } = models;
  for (const { key, contentHash } of entries) {
    faults.push(...faultsOf(await models.get(contentHash), key, { directory, limits }));
  }
  return faults;
}

const withHint = (fault: Fault): Fault =>
  fault.code === 'decision_missing' && fault.hint === undefined
    ? { ...fault, hint: 'Import it too, or correct the key; `./x` and `../x` start at the folder of this decision.' }
    : fault;
