import { importLimits } from '../decisions/limits.js';
import { readCandidates, type Candidates } from './sources/candidates.js';
import { readSources } from './sources/read.js';
import { SourceError } from './sources/source.js';
import { Refusal, UsageError } from './failures.js';
import { printable } from './printable.js';
import type { Session } from './session.js';

interface Reading {
  /** Replaces the file's name, where that is one file. */
  readonly key?: string | undefined;
  /** Test files of DMN's compatibility kit are read, too. */
  readonly kit?: boolean;
}

/** Reads the models that paths name. */
export async function readFiles(
  session: Session,
  paths: readonly string[],
  { key, kit = false }: Reading = {},
): Promise<Candidates> {
  const sources = await readSources(paths, session.directory, { kit }).catch((error: unknown) => {
    if (error instanceof SourceError) throw new Refusal(`${printable(error.message)}; nothing was read. ${limitsHint}`);
    throw error;
  });
  const progress = session.progress('reading', sources.length);
  try {
    if (key === undefined) return readCandidates(sources, () => progress.advance());
    const [source, ...others] = sources;
    if (source === undefined || others.length > 0) throw new UsageError('--key is for one file.');
    return readCandidates([{ ...source, name: key }]);
  } finally {
    progress.end();
  }
}

const mebibytes = (bytes: number): string => `${bytes / 1024 / 1024} MiB`;

const limitsHint =
  `(Limits: ${importLimits.files} models, ${mebibytes(importLimits.fileBytes)} each, ` +
  `${mebibytes(importLimits.totalBytes)} together.)`;
