import { createHash } from 'node:crypto';
import { Recent } from '../../workers/recent/index.js';
import { auditEntryTexts } from '../audit/audit.store.js';
import { recordedManifest } from '../decisions/programs/programs.js';
import type { VariableDependencies } from '../environments/sealedVariable.js';
import { configurationAt } from '../environments/variableHistory.store.js';
import { findWholeExecutions, type WholeExecution } from '../runs/history.store.js';
import { batches } from '../storage/batches.js';
import { recordText } from '../runs/responseBody.js';
import { leavesAtOnce } from './leaves.store.js';
import type { Kind } from './subjects.store.js';

/** The text of a record, which its leaf is the hash of, and which a proof shows. */
export interface SubjectRecord {
  readonly id: string;
  readonly text: string;
  /** Of an execution. */
  readonly environmentId?: string;
}

/** Makes the texts of records from what is stored. */
export interface Records {
  /** Those that are there, in the order of their ids. */
  read(kind: Kind, workspaceId: string, ids: readonly Buffer[]): Promise<SubjectRecord[]>;
  /** The same of an execution that was read already. */
  ofExecution(execution: WholeExecution): Promise<string>;
}

/** Manifests, and configurations, that are remembered, and their UTF-16 units. */
const bounds = { maxCount: 50_000, maxWeight: 16 * 1024 * 1024 };

/**
 * The form of records is fixed for good: leaves are hashes of it. A later form gets another number in `record`, and records
 * of this one are still made as here.
 */
export function createRecords({ database, encryption }: VariableDependencies): Records {
  const programs = new Recent<string>(bounds);
  const configurations = new Recent<string>(bounds);

  /** The manifest names the contents of all that the program reaches, by their hashes; null where it is gone. */
  async function programOf({ workspaceId, decisionId, version, context }: WholeExecution): Promise<string> {
    const { programId } = context;
    const key = `${workspaceId}/${programId}`;
    const known = programs.get(key);
    if (known !== undefined) return known;
    const manifest = await recordedManifest(database, workspaceId, { programId, decisionId, version });
    if (manifest === undefined) return 'null';
    // What was altered is not remembered, and not taken for what the execution names.
    if (createHash('sha256').update(manifest).digest('hex') !== programId) return 'null';
    programs.set(key, manifest, manifest.length, workspaceId);
    return manifest;
  }

  /** What the run saw: variables by value, secrets by name alone, so that nobody can try values against the digest. */
  async function configurationOf({ workspaceId, environmentId, context }: WholeExecution): Promise<string> {
    const revision = context.configurationRevision;
    const key = `${environmentId}/${revision}`;
    const known = configurations.get(key);
    if (known !== undefined) return known;
    const found = await configurationAt({ database, encryption }, { workspaceId, environmentId }, revision);
    if (found === undefined) return 'null';
    const shown = Object.entries(found.variables).filter(([name]) => !found.secrets.includes(name));
    const told = JSON.stringify({ revision, variables: Object.fromEntries(shown), secrets: found.secrets });
    const digest = createHash('sha256').update(told).digest('hex');
    const text = `{"digest":"${digest}",${told.slice(1)}`;
    configurations.set(key, text, text.length, workspaceId);
    return text;
  }

  async function ofExecution(execution: WholeExecution): Promise<string> {
    const [program, configuration] = await Promise.all([programOf(execution), configurationOf(execution)]);
    return (
      `{"record":1,"execution":${recordText(execution)},"context":${JSON.stringify(execution.context)},` +
      `"program":${program},"configuration":${configuration}}`
    );
  }

  return {
    ofExecution,
    async read(kind, workspaceId, ids) {
      if (kind === 'audit_entry') {
        const entries = await auditEntryTexts(database, workspaceId, ids);
        return entries.map(({ id, text }) => ({ id, text: `{"record":1,"auditEntry":${text}}` }));
      }
      const records: SubjectRecord[] = [];
      for (const some of batches(ids, undefined, leavesAtOnce)) {
        for (const execution of await findWholeExecutions(database, workspaceId, some)) {
          const { id, environmentId } = execution;
          records.push({ id, text: await ofExecution(execution), environmentId });
        }
      }
      return records;
    },
  };
}
