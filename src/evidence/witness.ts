import { mkdir, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { randomUUID } from 'node:crypto';

/** A head on its way to whoever keeps it outside of the service. */
interface WitnessedHead {
  readonly workspaceId: string;
  readonly size: number;
  /** The signed note. */
  readonly checkpoint: string;
}

/** Sends a head; returns once it is kept. Rejects where it is not. */
export type Witness = (head: WitnessedHead) => Promise<void>;

const timeoutMs = 5000;

/** @param target EVIDENCE_WITNESS: a folder, or an http or https URL that heads are posted to */
export const createWitness = (target: string): Witness =>
  /^https?:\/\//.test(target) ? (head) => post(target, head) : (head) => write(target, head);

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

/** The folder of a workspace's heads, a file each, named for their size. */
export const witnessFolder = (folder: string, workspaceId: string): string => join(folder, workspaceId);
const witnessFile = (size: number): string => `${String(size).padStart(16, '0')}.txt`;

/** Whole or not at all, and durable. A head that is there already is left as it is: it is the one that counts. */
async function write(folder: string, { workspaceId, size, checkpoint }: WitnessedHead): Promise<void> {
  const own = witnessFolder(folder, workspaceId);
  await mkdir(own, { recursive: true });
  const path = join(own, witnessFile(size));
  const present = await open(path, 'r').catch(() => undefined);
  if (present !== undefined) return present.close();
  const temporary = join(own, `.${randomUUID()}`);
  const file = await open(temporary, 'wx');
  try {
    await file.writeFile(checkpoint);
    await file.sync();
    await file.close();
    await rename(temporary, path);
  } catch (error) {
    await file.close().catch(() => undefined);
    await rm(temporary, { force: true });
    throw error;
  }
}
