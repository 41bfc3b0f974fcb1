import { compile, EngineError, type CompileOptions, type Program } from './engine/index.js';
import type { Bundle } from './protocol.js';
import { Recent } from './recent.js';

/** Programs held at most, whatever their size. */
const maxPrograms = 1000;

/** The root program, or the fault for which its document is not one. */
export type Loaded = Program | EngineError;

/** What a program takes of the heap, about, in bytes for each byte of its text and for each cell of its tables. */
const bytesPerCharacter = 10;
const bytesPerCell = 1200;

/** Compiled programs by the hash of their manifest. */
export interface Programs {
  /** Undefined when it is not held. */
  get(programId: string): Loaded | undefined;
  /** Compiles and keeps a bundle (JSON text of a `Bundle`). */
  load(programId: string, bundle: string): Loaded;
}

/**
 * @param maxBytes of the heap for programs, about; the newest is held whatever it takes
 * @param options for every compilation
 */
export function createPrograms(maxBytes: number, options: Omit<CompileOptions, 'resolve'>): Programs {
  const recent = new Recent<Loaded>({ maxCount: maxPrograms, maxWeight: maxBytes });
  return {
    get: (programId) => recent.get(programId),
    load(programId, text) {
      const bundle = JSON.parse(text) as Bundle;
      const loaded = rootOf(bundle, options);
      recent.set(programId, loaded, text.length * bytesPerCharacter + cellsOf(bundle) * bytesPerCell);
      return loaded;
    },
  };
}

/** The cells of all tables of a bundle, whether a run reaches them or not. Nothing is known of the documents yet. */
function cellsOf({ contents }: Bundle): number {
  let cells = 0;
  for (const text of Object.values(contents)) {
    const document = JSON.parse(text) as { readonly nodes?: unknown } | null;
    if (!Array.isArray(document?.nodes)) continue;
    for (const node of document.nodes as readonly ({
      readonly content?: { readonly rules?: unknown } | null;
    } | null)[]) {
      const rules = node?.content?.rules;
      if (!Array.isArray(rules)) continue;
      for (const rule of rules as readonly unknown[]) cells += Object.keys(rule ?? {}).length;
    }
  }
  return cells;
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
