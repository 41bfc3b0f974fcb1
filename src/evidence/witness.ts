import { mkdir, open, opendir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { randomUUID } from 'node:crypto';

/** A head on its way to whoever keeps it outside of the service. */
interface WitnessedHead {
  readonly workspaceId: string;
  readonly generation: number;
  readonly size: number;
  /** The signed note. */
  readonly checkpoint: string;
}

/** Sends a head; returns once it is kept. Rejects where it is not. */
export type Witness = (head: WitnessedHead) => Promise<void>;

const timeoutMs = 5000;

/** The settings that say where heads are kept. */
interface HeadSettings {
  readonly evidenceWitness: string | null;
  readonly evidenceHeads: string | null;
}

const isUrl = (target: string): boolean => /^https?:\/\//.test(target);

/** The folder whose heads the database must agree with; null where there is none. */
export const keptFolder = ({ evidenceWitness, evidenceHeads }: HeadSettings): string | null =>
  evidenceHeads ?? (evidenceWitness === null || isUrl(evidenceWitness) ? null : evidenceWitness);

/** Sends heads to all that the settings name; null where they name nobody. */
export function witnessOf({ evidenceWitness, evidenceHeads }: HeadSettings): Witness | null {
  const targets = [...new Set([evidenceWitness, evidenceHeads])].flatMap((target) => target ?? []);
  if (targets.length === 0) return null;
  const witnesses = targets.map(createWitness);
  return async (head) => {
    for (const witness of witnesses) await witness(head);
  };
}

/** @param target EVIDENCE_WITNESS: a folder, or an http or https URL that heads are posted to */
export const createWitness = (target: string): Witness =>
  isUrl(target) ? (head) => post(target, head) : (head) => write(target, head);

async function post(url: string, { workspaceId, size, checkpoint }: WitnessedHead): Promise<void> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: {
      'Content-Type': 'text/plain; charset=utf-8',
      'X-Workspace-Id': workspaceId,
      'X-Tree-Size': String(size),
    },
    body: checkpoint,
    redirect: 'manual',
    signal: AbortSignal.timeout(timeoutMs),
  });
  await answer.body?.cancel();
  if (!answer.ok) throw new Error(`the witness answered ${answer.status}`);
}

/** The folder of the heads of a workspace's tree, a file each, named for their size; one for each restart. */
export const witnessFolder = (
  folder: string,
  { workspaceId, generation }: Pick<WitnessedHead, 'workspaceId' | 'generation'>,
): string => join(folder, generation === 1 ? workspaceId : `${workspaceId}.${generation}`);

/** The sizes of the heads in the folder of a tree, in no order. */
export async function witnessedSizes(own: string): Promise<number[]> {
  const sizes: number[] = [];
  // Entry by entry, since there may be a million.
  const folder = await opendir(own).catch(absent([]));
  for await (const { name } of folder) if (/^\d{16}\.txt$/.test(name)) sizes.push(parseInt(name, 10));
  return sizes;
}

/** The head of that size, as its file has it. */
export const readWitnessed = (own: string, size: number): Promise<string> =>
  readFile(join(own, witnessFile(size)), 'utf8');

/** Names the newest head of a folder, so that nobody lists a folder of a million. */
const newestFile = 'newest';

/** The size of the newest head in the folder of a tree; undefined where there is none. */
export async function newestSize(own: string): Promise<number | undefined> {
  const named = await readFile(join(own, newestFile), 'utf8').catch(absent(undefined));
  if (named !== undefined) return Number(named);
  const sizes = await witnessedSizes(own);
  return sizes.length === 0 ? undefined : sizes.reduce((one, other) => Math.max(one, other));
}

/** What there is instead of a file or folder that is not there; any other error stays one. */
const absent =
  <T>(value: T) =>
  (error: unknown): T => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return value;
    throw error;
  };

const witnessFile = (size: number): string => `${String(size).padStart(16, '0')}.txt`;

/** Whole or not at all, and durable. A head that is there already is left as it is: it is the one that counts. */
async function write(folder: string, head: WitnessedHead): Promise<void> {
  const { size, checkpoint } = head;
  const own = witnessFolder(folder, head);
  await mkdir(own, { recursive: true });
  const path = join(own, witnessFile(size));
  const present = await open(path, 'r').catch(() => undefined);
  if (present !== undefined) await present.close();
  else await writeWhole(own, path, checkpoint);
  const newest = await newestSize(own);
  if (newest === undefined || newest <= size) await writeWhole(own, join(own, newestFile), String(size));
}

async function writeWhole(own: string, path: string, text: string): Promise<void> {
  const temporary = join(own, `.${randomUUID()}`);
  const file = await open(temporary, 'wx');
  try {
    await file.writeFile(text);
    await file.sync();
    await file.close();
    await rename(temporary, path);
  } catch (error) {
    await file.close().catch(() => undefined);
    await rm(temporary, { force: true });
    throw error;
  }
}
