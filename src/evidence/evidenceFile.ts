import { createHash } from 'node:crypto';
import Type, { type Static } from 'typebox';
import { createFinder } from '../api/validate.js';
import { EvidenceConsistency, ExecutionProof } from './evidence.schema.js';

const PublishedKeys = Type.Array(Type.Object({ generation: Type.Integer(), publicKey: Type.String() }));
const { from, path } = EvidenceConsistency.properties;

/** A file of evidence: a proof as the service answers it, and what verifies it. */
const EvidenceFile = Type.Object({
  ...ExecutionProof.properties,
  /** The keys that the service published. */
  keys: Type.Optional(PublishedKeys),
  /** What shows that the tree began as that of a head which the auditor holds. */
  consistency: Type.Optional(Type.Object({ from, path })),
});
export type EvidenceFile = Static<typeof EvidenceFile>;

/** Why a file proves nothing, for people. */
export class NotProved extends Error {
  override readonly name = 'NotProved';
}

const findFaults = createFinder(EvidenceFile, 'body');
const findKeyFaults = createFinder(PublishedKeys, 'body');

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** The end of a file: what is not proved by anything else in it, such as the names of models, is not to change unseen either. */
const end = /,\n "sha256": "([0-9a-f]{64})"\n\}\n$/;

/** The text of a file, with a digest of all of it. */
export function evidenceText(file: Readonly<Record<string, unknown>>): string {
  const begin = JSON.stringify(file, null, 1).replace(/\n\}$/, '');
  return `${begin},\n "sha256": "${sha256(begin)}"\n}\n`;
}

/** Throws `NotProved`. */
export function readEvidenceFile(text: string): EvidenceFile {
  const file = parsed(text, 'the file');
  const found = end.exec(text);
  if (found === null || sha256(text.slice(0, found.index)) !== found[1])
    throw new NotProved('the file is not as it was written');
  const [fault] = findFaults(file, false);
  if (fault !== undefined) throw new NotProved(`the file is no evidence: ${fault.pointer} ${fault.message}`);
  return file as EvidenceFile;
}

/** A public key, and how late it came: a later key has a higher generation. */
export interface TrustedKey {
  readonly generation: number;
  readonly bytes: Buffer;
}

/**
 * Keys as `/.well-known/verdict-evidence.json` has them, or verifier keys of signed notes (`name+id+key`), one a line, the
 * newest first. Throws `NotProved`.
 */
export function readKeys(text: string): TrustedKey[] {
  if (!text.trimStart().startsWith('{')) {
    const lines = text.trim().split(/\s*\n\s*/);
    return lines.map((line, at) => {
      const bytes = Buffer.from(line.split('+').slice(2).join('+'), 'base64');
      if (bytes.length !== 33 || bytes[0] !== 1) throw new NotProved('the key is no Ed25519 key of signed notes');
      return { generation: lines.length - at, bytes: bytes.subarray(1) };
    });
  }
  const { keys } = parsed(text, 'the file of keys') as { keys?: unknown };
  if (findKeyFaults(keys, false).length > 0) throw new NotProved('the file of keys has none');
  return trusted(keys as Static<typeof PublishedKeys>);
}

export const trusted = (keys: NonNullable<EvidenceFile['keys']>): TrustedKey[] =>
  keys.map(({ generation, publicKey }) => ({ generation, bytes: Buffer.from(publicKey, 'base64') }));

function parsed(text: string, what: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new NotProved(`${what} is no JSON`);
  }
}
