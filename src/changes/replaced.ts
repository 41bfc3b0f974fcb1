import { formatJson } from '../../workers/json/index.js';
import { readRoute } from '../deployments/routing.js';
import { readHosts } from '../environments/hosts.store.js';
import { findVariable } from '../environments/variables.store.js';
import type { Connection } from '../storage/database.js';
import type { Encryption } from '../storage/encryption.js';
import type { EnvironmentRef } from '../storage/resourceTable.js';
import type { Change } from './changes.schema.js';
import type { Detail } from './readChanges.js';

/** What is in force of the decision, variable or hosts that a change is of: what the change would replace. */
export interface Replaced {
  /** Names what is in force: where that changes, so does the mark. It reveals nothing of a secret's value. */
  readonly mark: string;
  /** As the API shows it. */
  readonly shown: NonNullable<Change['replaces']> | null;
}

/** What each of some changes would replace now, in their order. */
export async function readReplaced(
  reading: { readonly database: Connection; readonly encryption: Encryption },
  ref: EnvironmentRef,
  details: readonly Detail[],
): Promise<Replaced[]> {
  const replaced: Replaced[] = [];
  for (const detail of details) {
    if (detail.type === 'deploy') replaced.push(await ofRoute(reading.database, ref, detail.decisionId));
    else if (detail.type === 'hosts') replaced.push(await ofHosts(reading.database, ref));
    else replaced.push(await ofVariable(reading, ref, detail));
  }
  return replaced;
}

async function ofRoute(connection: Connection, ref: EnvironmentRef, decisionId: string): Promise<Replaced> {
  const { workspaceId, environmentId } = ref;
  const { value } = await readRoute(connection, { workspaceId, environmentId, decisionId });
  return { mark: value?.deploymentId ?? 'none', shown: value };
}

async function ofHosts(connection: Connection, ref: EnvironmentRef): Promise<Replaced> {
  const { hosts } = await readHosts(connection, ref);
  return { mark: JSON.stringify(hosts), shown: { hosts } };
}

async function ofVariable(
  reading: { readonly database: Connection; readonly encryption: Encryption },
  ref: EnvironmentRef,
  detail: Exclude<Detail, { readonly type: 'deploy' | 'hosts' }>,
): Promise<Replaced> {
  const found = await findVariable(reading, ref, detail.name);
  if (found === undefined) return { mark: 'none', shown: null };
  const { value, secret } = found.variable;
  // A variable that becomes secret by the change had a secret value before, too.
  const isTold = !secret && value !== undefined && !('secret' in detail && detail.secret);
  return { mark: String(found.revision), shown: isTold ? { value, secret } : { secret } };
}

/** Longest text of a value in a notice. */
const maxToldLength = 200;

/** What is in force, in words. */
export function wordsOf(shown: Replaced['shown']): string {
  if (shown === null || shown.hosts?.length === 0) return 'none';
  if (shown.version !== undefined) return shown.version === 0 ? 'the working copy' : `version ${shown.version}`;
  const { hosts, value, secret } = shown;
  if (hosts === undefined && value === undefined) return secret === true ? '(secret)' : '(not shown)';
  const text = hosts?.join(' ') ?? formatJson(value);
  return text.length > maxToldLength ? `${text.slice(0, maxToldLength)}…` : text;
}
