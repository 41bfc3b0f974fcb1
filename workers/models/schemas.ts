import { schemasOf, type ModelSchemas, type SubSchemas } from '../engine/index.js';
import { importedBy, linkOf } from '../programs.js';
import type { Bundle } from '../protocol.js';

/** Levels of decisions within decisions that are followed: no run gets as deep. */
const maxDepth = 100;

/** The schemas of a program's root, of which those of all decisions that it runs are a part. */
export function schemasOfProgram(bundle: Bundle): ModelSchemas {
  const { manifest, contents } = bundle;
  const known = new Map<number, SubSchemas | undefined>();
  const read = (index: number, depth: number): (ModelSchemas & SubSchemas) | undefined => {
    const entry = manifest.entries[index];
    if (entry === undefined || depth > maxDepth) return undefined;
    const content: unknown = JSON.parse(contents[entry.content] ?? 'null');
    return schemasOf(content, (name) => within(linkOf(entry, name), depth + 1), importedBy(bundle, entry));
  };
  const within = (index: number, depth: number): SubSchemas | undefined => {
    if (!known.has(index)) {
      // A decision that runs itself learns nothing from itself.
      known.set(index, undefined);
      known.set(index, read(index, depth));
    }
    return known.get(index);
  };
  known.set(0, undefined);
  const root = read(0, 0);
  if (root === undefined) throw new Error('the bundle has no root');
  const { handsOn: _, ...schemas } = root;
  return schemas;
}
