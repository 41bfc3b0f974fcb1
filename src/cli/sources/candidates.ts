import type { Diagnostic } from '../../../workers/engine/index.js';
import { readDocument, type Document, type UnreadDiagnostic } from '../../../workers/models/index.js';
import type { Candidate } from '../../decisions/writing/checkContents.js';
import { readKey } from '../../decisions/keys.js';
import type { Source } from './source.js';

/** What the files hold: models to import, and the diagnostics of files that hold none. */
export interface Candidates {
  readonly candidates: readonly FileCandidate[];
  readonly diagnostics: readonly FileDiagnostic[];
}

/** A model of a file. */
export interface FileCandidate extends Candidate {
  readonly path: string;
  readonly document: Document;
}

interface FileDiagnostic extends UnreadDiagnostic {
  readonly path: string;
  readonly key: string;
}

/** Reads keys and models of all files and finds every diagnostic of both. */
export function readCandidates(sources: readonly Source[], onRead: () => void = () => undefined): Candidates {
  const candidates: FileCandidate[] = [];
  const diagnostics: FileDiagnostic[] = [];
  const paths = new Map<string, string>();
  for (const { path, name, bytes } of sources) {
    onRead();
    const report = (diagnostic: Diagnostic) => diagnostics.push({ path, key: name, diagnostic });
    const named = readKey(name);
    if ('fault' in named) {
      report({ code: 'model_invalid', message: `The key ${JSON.stringify(name)} ${named.fault}.` });
      continue;
    }
    const other = paths.get(named.key);
    if (other !== undefined) {
      report({ code: 'model_invalid', message: `${other} has the same key, "${named.key}".` });
      continue;
    }
    paths.set(named.key, path);
    const read = readDocument(bytes);
    if ('diagnostic' in read) diagnostics.push({ path, key: named.key, ...read });
    else candidates.push({ path, key: named.key, document: read.document });
  }
  return { candidates, diagnostics };
}
