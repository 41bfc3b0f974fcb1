import type { Decision } from '../../../decisions/routes/decisions.schema.js';
import { rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { filesOf, pathsOf } from '../../sources/dmnFiles.js';
import type { Call } from '../../command.js';
import { Refusal } from '../../failures.js';
import { printable } from '../../printable.js';
import type { Session } from '../../session.js';
import { revisionOf } from '../import.js';
import type { Service } from '../service.js';
import { eachWorkingCopy } from '../workingCopies.js';
import { readRemote, type Remote } from './compare.js';
import { hashesOf, readModels } from './read.js';
import { readState, writeState, type Hashes } from './state.js';
import { writeModels } from './write.js';

/** Brings the working copies of the workspace into a folder, all or none. */
export async function pullFolder({ session, service }: Call, folder: string, force: boolean) {
  const root = resolve(session.directory, folder);
  const models = await readModels(session, folder);
  const remote = await readRemote(service);
  const seen = readState(root, service.workspaceId()) ?? new Map<string, string>();
  // A file that holds no model is a change of the folder too.
  const local = new Map([...models.diagnostics.map(({ key }) => [key, ''] as const), ...hashesOf(models)]);
  const plan = planPull({ local, remote, seen, force });
  if (plan.conflicts.length > 0) {
    const keys = plan.conflicts.map((key) => `  ${printable(key)}`).join('\n');
    throw new Refusal(
      `changed in the folder and in the workspace, so nothing was written (--force takes the workspace's):\n${keys}`,
    );
  }
  const contents = await readPlanned(session, service, plan.write, remote.hashes);
  if ((await revisionOf(service)) !== remote.revision) {
    throw new Refusal('the workspace was changed meanwhile, so nothing was written. Pull again.');
  }
  await writeModels(root, contents);
  for (const path of plan.remove.flatMap(pathsOf))
    if (!remote.decisions.has(path)) await rm(join(root, ...path.split('/')), { force: true });
  writeState(root, service.workspaceId(), remote.hashes);
  const files = [
    ...plan.write.map(({ key }) => ({ key, change: local.has(key) ? 'updated' : 'created' })),
    ...plan.remove.map((key) => ({ key, change: 'deleted' })),
  ];
  noteLeftOut(session, remote.leftOut);
  return { revision: remote.revision, files, leftOut: remote.leftOut };
}

/** Enough for people to see which they are. */
const maxNamed = 10;

/** Says which decisions a folder cannot hold, so that nobody takes it for the whole workspace. */
export function noteLeftOut(session: Session, keys: readonly string[]): void {
  if (keys.length === 0) return;
  const named = keys.slice(0, maxNamed).map((key) => `\n  ${printable(key)}`);
  const more = keys.length > maxNamed ? `\n  and ${keys.length - maxNamed} more` : '';
  session.note(
    `Left out, since in a folder are only keys that end in .json or .dmn, as files that every system can have:${named.join('')}${more}`,
  );
}

interface Plan {
  readonly write: readonly Decision[];
  readonly remove: readonly string[];
  readonly conflicts: readonly string[];
}

interface Sides {
  readonly local: Hashes;
  readonly remote: Remote;
  /** What both had when they last met. */
  readonly seen: Hashes;
  readonly force: boolean;
}

function planPull({ local, remote, seen, force }: Sides): Plan {
  const write: Decision[] = [];
  const conflicts: string[] = [];
  for (const [key, decision] of remote.decisions) {
    const [here, there, before] = [local.get(key), decision.contentHash, seen.get(key)];
    if (here === there) continue;
    if (here === undefined || here === before || force) write.push(decision);
    else if (there !== before) conflicts.push(key);
  }
  // What is gone from the workspace goes here too, unless it was changed here.
  const present = new Set([...remote.decisions.keys(), ...remote.leftOut]);
  const gone = [...seen.keys()].filter((key) => !present.has(key) && local.has(key));
  return { write, conflicts, remove: gone.filter((key) => force || local.get(key) === seen.get(key)) };
}

async function readPlanned(
  session: Session,
  service: Service,
  decisions: readonly Decision[],
  keys: Hashes,
): Promise<ReadonlyMap<string, string | null>> {
  const texts = new Map<string, string | null>();
  await session.during('pulling', decisions.length, (advance) =>
    eachWorkingCopy(service, decisions, ({ key }, content) => {
      // Where tests of a document would stand there may be a decision of that very key.
      for (const [path, text] of filesOf(key, content)) if (text !== null || !keys.has(path)) texts.set(path, text);
      advance();
    }),
  );
  return texts;
}
