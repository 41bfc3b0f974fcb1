import { lstat, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Refusal, codeOf } from '../../failures.js';
import { printable } from '../../printable.js';

/**
 * Writes models below a folder, each file in one step.
 * @param texts by path, null for what is not to be there; each key `heldByFolder` has let through
 * @throws Refusal before anything is written where a link stands in the way, which could lead out of the folder
 */
export async function writeModels(root: string, texts: ReadonlyMap<string, string | null>): Promise<void> {
  for (const key of texts.keys()) await requireNoLink(root, key);
  await makeFolder(root);
  for (const [key, text] of texts) {
    const path = join(root, ...key.split('/'));
    if (text === null) await rm(path, { force: true });
    else await writeModel(path, text);
  }
}

async function requireNoLink(root: string, key: string): Promise<void> {
  let path = root;
  for (const part of key.split('/').slice(0, -1)) {
    path = join(path, part);
    const found = await lstat(path).catch(() => undefined);
    if (found === undefined) return;
    if (found.isSymbolicLink()) throw new Refusal(`${printable(path)} is a link, so nothing was written.`);
  }
}

async function writeModel(path: string, text: string): Promise<void> {
  const folder = dirname(path);
  await makeFolder(folder);
  // Its name is short, since that of the model may be as long as names can be.
  const draft = join(folder, `.verdict-${process.pid}.new`);
  try {
    await writeFile(draft, text);
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw new Refusal(`${printable(path)} can't be written${codeOf(error)}.`);
  }
}

async function makeFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true }).catch((error: unknown) => {
    throw new Refusal(`${printable(path)} can't be made a folder${codeOf(error)}.`);
  });
}
