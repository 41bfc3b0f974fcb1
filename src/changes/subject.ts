import { createHash } from 'node:crypto';
import { findVersion, listDependencies } from '../decisions/versions.store.js';
import type { Protection } from '../protections/protections.schema.js';
import type { Connection } from '../storage/database.js';
import type { Encryption } from '../storage/encryption.js';
import { valueOf, type Item } from './items.store.js';
import type { Replaced } from './replaced.js';

/** A request whose digest is computed. */
interface Subject {
  readonly workspaceId: string;
  readonly environmentId: string;
  readonly items: readonly Item[];
  /** What each of the items replaces now. */
  readonly replaced: readonly Replaced[];
  readonly protection: Protection | null;
}

/**
 * The digest (SHA-256, hex) of all that would be in force: the contents of each version and of all that it reaches,
 * variables and hosts, and the protection; and of what it replaces, for what is approved is a comparison. Read within the
 * transaction that shows or applies it, after `requireTargets`.
 */
export async function digestOf(
  { database, encryption }: { readonly database: Connection; readonly encryption: Encryption },
  { workspaceId, environmentId, items, replaced, protection }: Subject,
): Promise<string> {
  const changes: unknown[] = [];
  for (const item of items) {
    const { detail } = item;
    if (detail.type === 'deploy') changes.push(await contentsOf(database, workspaceId, detail));
    else if (detail.type === 'variable') {
      // Made anew from the value that would be written, so that a row which was altered has another digest.
      changes.push([detail.type, detail.name, detail.secret, valueOf(encryption, item).commitment]);
    } else if (detail.type === 'variable.delete') changes.push([detail.type, detail.name]);
    else changes.push([detail.type, detail.hosts]);
  }
  const marks = replaced.map(({ mark }) => mark);
  const subject = ['verdict change 2', workspaceId, environmentId, changes, marks, protectionOf(protection)];
  return createHash('sha256').update(JSON.stringify(subject)).digest('hex');
}

async function contentsOf(
  database: Connection,
  workspaceId: string,
  { decisionId, version }: { readonly decisionId: string; readonly version: number },
): Promise<unknown> {
  const found = await findVersion(database, workspaceId, decisionId, version);
  if (found === undefined) throw new Error(`version ${version} of ${decisionId} is gone`);
  const reached = await listDependencies(database, workspaceId, decisionId, version);
  const hashes = reached.map(({ key, contentHash }) => [key, contentHash]);
  return ['deploy', decisionId, version, found.programId, found.contentHash, hashes];
}

/** In a fixed order, whatever the order of the fields. */
const protectionOf = (protection: Protection | null): unknown =>
  protection && [
    protection.approvals,
    protection.authorMayApprove,
    protection.requires.tests,
    protection.requires.analysis,
    protection.requires.replay,
    protection.requires.coverage,
    protection.override,
  ];
