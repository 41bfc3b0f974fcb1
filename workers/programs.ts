import { compile, EngineError, type CompileOptions, type Program } from './engine/index.js';
import type { Bundle } from './protocol.js';
import { Recent } from './recent.js';

/** Programs held at most, whatever their size. */
const maxPrograms = 1000;

/** The root program, or the fault for which its document is not one. */
export type Loaded = Program | EngineError;

/** Compiled programs by the hash of their manifest. */
export interface Programs {
  /** Undefined when it is not held. */
  get(programId: string): Loaded | undefined;
  /** Compiles and keeps a bundle (JSON text of a `Bundle`). */
  load(programId: string, bundle: string): Loaded;
}

/**
 * @param maxBytes of bundles whose programs are held; a program takes a multiple of its text
 * @param options for every compilation
 */
export function createPrograms(maxBytes: number, options: Omit<CompileOptions, 'resolve'>): Programs {
  const recent = new Recent<Loaded>({ maxCount: maxPrograms, maxWeight: maxBytes });
  return {
    get: (programId) => recent.get(programId),
    load(programId, text) {
      const loaded = rootOf(JSON.parse(text) as Bundle, options);
      recent.set(programId, loaded, text.length);
      return loaded;
    },
  };
}

/**
 * Every entry of a manifest is a program of its own, compiled when a run first reaches it: its sub-decisions are what its
 * links say, and the same content may be linked in different ways.
 */
function rootOf({ manifest, contents }: Bundle, options: Omit<CompileOptions, 'resolve'>): Loaded {
  const compiled = new Map<number, Loaded>();
  const root = entryOf(0);
  if (root === undefined) throw new Error('the bundle has no root');
  return root;

  function entryOf(index: number): Loaded | undefined {
    const entry = manifest.entries[index];
    if (entry === undefined) return undefined;
    const known = compiled.get(index);
    if (known !== undefined) return known;
    const { content, links } = entry;
    const resolve = (key: string): Program | undefined => {
      // Keys are names given by tenants: only own ones are links.
      const linked = Object.hasOwn(links, key) ? entryOf(links[key] ?? -1) : undefined;
      if (linked instanceof EngineError) throw linked;
      return linked;
    };
    const made = attempt(() => compile(JSON.parse(contents[content] ?? 'null'), { ...options, resolve }));
    compiled.set(index, made);
    return made;
  }
}

function attempt(make: () => Program): Loaded {
  try {
    return make();
  } catch (error) {
    if (error instanceof EngineError) return error;
    throw error;
  }
}
