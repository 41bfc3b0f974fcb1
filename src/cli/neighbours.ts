import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { DecisionIndex, newEntry, type DecisionEntry } from '../decisions/decisionIndex.js';
import { readCandidates, type FileCandidate } from './sources/candidates.js';
import { readSources } from './sources/read.js';
import { isModelFile } from './sources/source.js';
import { isMet } from './remote/folder/state.js';

/** Models of files at the keys that they have where they belong, and what they may name besides each other. */
export interface Neighbourhood {
  readonly candidates: readonly FileCandidate[];
  /** Whether one stands in a folder that was pulled or pushed: then keys of the workspace are seen from there. */
  readonly isPulled: boolean;
  /** What is not among the models is looked for in files beside them; `read` gets those. @param others keys that there are, too */
  readonly indexOf: (read: (found: FileCandidate) => void, others?: ReadonlySet<string>) => DecisionIndex;
}

/** A file alone is one of its folder's: what it names stands beside it, or below the folder that was pulled. */
export function neighbourhoodOf(directory: string, given: readonly FileCandidate[]): Neighbourhood {
  const pulled = new Map<string, string | undefined>();
  const pulledAbove = (folder: string): string | undefined => {
    if (!pulled.has(folder)) {
      const above = dirname(folder) === folder ? undefined : pulledAbove(dirname(folder));
      pulled.set(folder, isMet(folder) ? folder : above);
    }
    return pulled.get(folder);
  };
  const roots = new Set<string>();
  const candidates = given.map((candidate) => {
    const path = resolve(directory, candidate.path);
    // What a zip holds has no path of its own.
    const folder = existsSync(path) ? pulledAbove(dirname(path)) : undefined;
    if (folder === undefined) {
      if (path.endsWith(join(sep, candidate.key))) roots.add(path.slice(0, -candidate.key.length));
      return candidate;
    }
    roots.add(folder);
    const key = relative(folder, path).split(sep).join('/').normalize('NFC');
    return { ...candidate, key };
  });
  const entries = candidates.map(({ key, document }) => newEntry(key, document));
  const own = new Set(entries.map(({ key }) => key));
  return {
    candidates,
    isPulled: [...pulled.values()].some((folder) => folder !== undefined),
    indexOf: (read, others = new Set()) =>
      DecisionIndex.ofWorkspace(async ({ keys }) => {
        const found: DecisionEntry[] = [];
        for (const key of keys.filter((each) => !own.has(each))) {
          const file = await besides(roots, key);
          if (file !== undefined) read(file);
          if (file !== undefined || others.has(key)) found.push(newEntry(key, file?.document ?? nothing));
        }
        return found;
      }).with(entries),
  };
}

const nothing = { hash: '', text: '' };

/** The model in the file of that key below the first of the folders that has one. */
async function besides(roots: ReadonlySet<string>, key: string): Promise<FileCandidate | undefined> {
  if (!isModelFile(key)) return undefined;
  for (const root of roots) {
    const isFile = await stat(join(root, key)).then(
      (found) => found.isFile(),
      () => false,
    );
    if (!isFile) continue;
    const [source] = await readSources([key], root);
    const { candidates } = readCandidates(source === undefined ? [] : [{ ...source, name: key }]);
    if (candidates[0] !== undefined) return candidates[0];
  }
  return undefined;
}
