import { formatJson } from '../../workers/json/index.js';
import { createHash } from 'node:crypto';
import { textBytes, type Reservation } from '../admission/byteBudget.js';
import { auditEntryTexts } from '../audit/audit.store.js';
import { createCache, type Cache } from '../cache/cache.js';
import { recordedManifest } from '../decisions/programs/programs.js';
import type { VariableDependencies } from '../environments/sealedVariable.js';
import { configurationAt, configurationBytes } from '../environments/variableHistory.store.js';
import { isEmpty } from '../runs/erase.store.js';
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
  /** Of an execution: nothing is kept in its record, so that it may have been erased. */
  readonly isEmpty?: boolean;
}

/** On whose account texts are made. `grow` throws where it may not hold so much. */
export type TextAccount = Pick<Reservation, 'grow' | 'shrink'>;

/** The account of a command, whose process has no other work. */
export const noAccount: TextAccount = { grow: () => undefined, shrink: () => undefined };

/** Records of one kind and workspace. */
export interface Subjects {
  readonly kind: Kind;
  readonly workspaceId: string;
  readonly ids: readonly Buffer[];
}

/** Makes the texts of records from what is stored. */
export interface Records {
  /**
   * Those that are there, in the order of their ids. A text may have megabytes of variables, so there is one at a time: it is made, and is
   * on the account, while it is looked at. The rows themselves are on the account already.
   */
  each(subjects: Subjects, account: TextAccount): AsyncGenerator<SubjectRecord, void>;
  /** The text of an execution that was read already; it stays on the account. */
  ofExecution(execution: WholeExecution, account: TextAccount): Promise<string>;
}

/** How long what a text is made of is remembered: a check in the process that sequences is to find what was changed since. */
const maxAgeMs = 10 * 60_000;
/** Manifests, and configurations, that are remembered, and their bytes. */
const remembered = {
  ...{ maxCount: 50_000, maxWeight: 32 * 1024 * 1024, weigh: (text = '') => textBytes(text) },
  ...{ maxAgeMs, renewMs: maxAgeMs },
};
/** How often the bytes of sealed variables are in memory while their text is made: opened, parsed, and written twice, of two bytes a unit. */
const copiesOfConfiguration = 8;

/**
 * The form of records is fixed for good: leaves are hashes of it. A later form gets another number in `record`, and records
 * of this one are still made as here.
 */
export function createRecords(parts: VariableDependencies): Records {
  const { database } = parts;
  const programs: Cache<string | undefined, WholeExecution> = createCache({
    ...remembered,
    load: (_, execution) => manifestOf(parts, execution),
  });
  const configurations: Cache<string | undefined, WholeExecution> = createCache({
    ...remembered,
    load: (_, execution) => shownConfiguration(parts, execution),
  });

  async function configurationOf(execution: WholeExecution, account: TextAccount): Promise<string> {
    const { workspaceId, environmentId, context } = execution;
    const key = `${workspaceId}/${environmentId}/${context.configurationRevision}`;
    const known = configurations.fresh(key);
    if (known !== undefined) return known;
    const stored = await configurationBytes(database, execution, context.configurationRevision);
    account.grow(copiesOfConfiguration * stored);
    try {
      return (await configurations.get(key, execution)) ?? 'null';
    } finally {
      account.shrink(copiesOfConfiguration * stored);
    }
  }

  async function ofExecution(execution: WholeExecution, account: TextAccount): Promise<string> {
    const { workspaceId, context } = execution;
    const program = (await programs.get(`${workspaceId}/${context.programId}`, execution)) ?? 'null';
    const configuration = await configurationOf(execution, account);
    const text =
      `{"record":1,"execution":${recordText(execution)},"context":${JSON.stringify(context)},` +
      `"program":${program},"configuration":${configuration}}`;
    // Not one piece yet: it is put together where it is first read.
    account.grow(textBytes(text));
    return text;
  }

  /** Those of one statement. */
  async function* some(
    { kind, workspaceId, ids }: Subjects,
    account: TextAccount,
  ): AsyncGenerator<SubjectRecord, void> {
    if (kind === 'execution') {
      for (const execution of await findWholeExecutions(database, workspaceId, ids)) {
        const { id, environmentId } = execution;
        yield { id, text: await ofExecution(execution, account), environmentId, isEmpty: isEmpty(execution) };
      }
      return;
    }
    for (const entry of await auditEntryTexts(database, workspaceId, ids)) {
      const text = `{"record":1,"auditEntry":${entry.text}}`;
      account.grow(textBytes(text));
      yield { id: entry.id, text };
    }
  }

  return {
    ofExecution,
    async *each({ ids, ...subjects }, account) {
      for (const batch of batches(ids, undefined, leavesAtOnce)) {
        for await (const record of some({ ...subjects, ids: batch }, account)) {
          try {
            yield record;
          } finally {
            account.shrink(textBytes(record.text));
          }
        }
      }
    },
  };
}

/** The manifest names the contents of all that the program reaches, by their hashes; undefined where it is gone. */
async function manifestOf(
  { database }: VariableDependencies,
  { workspaceId, decisionId, version, context: { programId } }: WholeExecution,
): Promise<string | undefined> {
  const manifest = await recordedManifest(database, workspaceId, { programId, decisionId, version });
  // What was altered is not remembered, and not taken for what the execution names.
  const isWhole = manifest !== undefined && createHash('sha256').update(manifest).digest('hex') === programId;
  return isWhole ? manifest : undefined;
}

/** What the run saw: variables by value, secrets by name alone, so that nobody can try values against the digest. */
async function shownConfiguration(parts: VariableDependencies, execution: WholeExecution): Promise<string | undefined> {
  const revision = execution.context.configurationRevision;
  const found = await configurationAt(parts, execution, revision);
  if (found === undefined) return undefined;
  const shown = Object.entries(found.variables).filter(([name]) => !found.secrets.includes(name));
  const told = formatJson({ revision, variables: Object.fromEntries(shown), secrets: found.secrets });
  const digest = createHash('sha256').update(told).digest('hex');
  return `{"digest":"${digest}",${told.slice(1)}`;
}
