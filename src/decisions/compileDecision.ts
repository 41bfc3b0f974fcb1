import { compile, createSandbox, type Program } from '../../workers/engine/index.js';
import type { Directory, DirectoryEntry } from './directory.js';
import { reachOf } from './manifest.js';
import type { Models } from './models.js';

/**
 * Compiles a working copy with the working copies of its sub-decisions, to be run in this process.
 * @throws EngineError with the first fault of its document or graph
 */
export async function compileDecision(root: DirectoryEntry, directory: Directory, models: Models): Promise<Program> {
  const { decisions } = await reachOf(root, directory, models.namesOf);
  const documents = new Map<string, unknown>();
  for (const { id, contentHash } of decisions) documents.set(id, await models.get(contentHash));
  const programs = new Map<string, Program>();
  const { engine: limits, functions } = models.limits;
  const sandbox = createSandbox(functions);

  const programOf = (entry: DirectoryEntry): Program => {
    let program = programs.get(entry.id);
    if (program === undefined) {
      program = compile(documents.get(entry.id), {
        limits,
        sandbox,
        resolve(name) {
          const target = directory.resolve(name, entry.key);
          return target !== undefined && documents.has(target.id) ? programOf(target) : undefined;
        },
      });
      programs.set(entry.id, program);
    }
    return program;
  };
  return programOf(root);
}
