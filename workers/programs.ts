import {
  compile,
  EngineError,
  Footprint,
  type CompileOptions,
  type ImportedContent,
  type Program,
} from './engine/index.js';
import type { Bundle, ManifestEntry } from './protocol.js';
import { Recent } from './recent/index.js';

/** Programs held at most, whatever their size. */
const maxPrograms = 1000;

/** The root program, or the diagnostic for which its document is not one. */
export type Loaded = Program | EngineError;

/** Parts of a thread's heap that all programs may take, the programs of one workspace, and a single program. */
const share = { all: 0.4, workspace: 0.25, program: 0.4 };

/** A program that is sent to a thread which lacks it: a `Bundle` as JSON text, and the workspace that sends it. */
interface SentProgram {
  readonly bundle: string;
  readonly workspaceId: string;
}

/** Compiled programs by the hash of their manifest. */
export interface Programs {
  /** Undefined when it is not held. */
  get(programId: string): Loaded | undefined;
  /**
   * Compiles and keeps a program. Its memory counts for the workspace that sent it, whoever else runs it. Where that workspace has too
   * much, its programs are evicted, and a later run sends its program again.
   */
  load(programId: string, sent: SentProgram): Loaded;
}

/**
 * @param heapBytes of the thread
 * @param options for every compilation
 */
export function createPrograms(
  heapBytes: number,
  options: Omit<CompileOptions, 'resolve' | 'imported' | 'footprint'>,
): Programs {
  const recent = new Recent<Loaded>({
    maxCount: maxPrograms,
    maxWeight: heapBytes * share.all,
    maxWeightOfOwner: heapBytes * share.workspace,
  });
  return {
    get: (programId) => recent.get(programId),
    load(programId, { bundle, workspaceId }) {
      // Cells, schemas and patterns are compiled by the runs that meet them: a program grows while it is used.
      const footprint = new Footprint(heapBytes * share.program, (bytes) => recent.grow(programId, bytes));
      const loaded = attempt(() => {
        footprint.add(bytesPerProgram + Buffer.byteLength(bundle));
        return rootOf(JSON.parse(bundle) as Bundle, { ...options, footprint });
      });
      recent.set(programId, loaded, footprint.bytes, workspaceId);
      return loaded;
    },
  };
}

/** Estimated bytes of an entry besides its program. */
const bytesPerProgram = 2000;

/**
 * Every entry of a manifest is a program of its own, compiled when a run first reaches it: its sub-decisions are what its
 * links say, and the same content may be linked in different ways.
 */
function rootOf(bundle: Bundle, options: Omit<CompileOptions, 'resolve' | 'imported'>): Loaded {
  const { manifest } = bundle;
  const compiled = new Map<number, Loaded>();
  const root = entryOf(0);
  if (root === undefined) throw new Error('the bundle has no root');
  return root;

  function entryOf(index: number): Loaded | undefined {
    const entry = manifest.entries[index];
    if (entry === undefined) return undefined;
    const loaded = compiled.get(index);
    if (loaded !== undefined) return loaded;
    const resolve = (key: string): Program | undefined => {
      const linked = entryOf(linkOf(entry, key));
      if (linked instanceof EngineError) throw linked;
      return linked;
    };
    const content = contentOf(bundle, entry);
    const made = attempt(() => compile(content, { ...options, resolve, imported: importedBy(bundle, entry) }));
    compiled.set(index, made);
    return made;
  }
}

/** What an entry imports is compiled with it, as a part of its program. */
export const importedBy =
  (bundle: Bundle, entry: ManifestEntry): ImportedContent['imported'] =>
  (name) => {
    const found = bundle.manifest.entries[linkOf(entry, name)];
    return found && { content: contentOf(bundle, found), imported: importedBy(bundle, found) };
  };

/** What a program's root imports. */
export const importsOf = (bundle: Bundle): ImportedContent['imported'] | undefined => {
  const [root] = bundle.manifest.entries;
  return root && importedBy(bundle, root);
};

const contentOf = ({ contents }: Bundle, { content }: ManifestEntry): unknown =>
  JSON.parse(contents[content] ?? 'null');

/** The index of the entry that a name links to, -1 for none. Tenants choose the names, so only own properties are links. */
export const linkOf = ({ links }: ManifestEntry, name: string): number =>
  Object.hasOwn(links, name) ? (links[name] ?? -1) : -1;

function attempt(make: () => Loaded): Loaded {
  try {
    return make();
  } catch (error) {
    if (error instanceof EngineError) return error;
    throw error;
  }
}
