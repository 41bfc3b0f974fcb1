import type { Connection } from '../../storage/database.js';
import { latestOutcomes, type Subject } from './outcomes.store.js';

interface Run {
  readonly id: string;
  readonly reference: string | null;
}

/** Which outcomes of which runs, a few hundred at most. */
interface OutcomesRequest {
  readonly runs: readonly Run[];
  readonly names: readonly string[];
}

/**
 * The outcomes of each run, in the order of the names: JSON, or null where none was reported. An outcome may be reported for the
 * id of a run and for its reference; the later of both counts.
 */
export async function outcomesOf(
  connection: Connection,
  workspaceId: string,
  { runs, names }: OutcomesRequest,
): Promise<(string | null)[][]> {
  if (names.length === 0) return [];
  const latest = await latestOutcomes(connection, workspaceId, runs.flatMap(subjectsOf), names);
  return runs.map((run) =>
    names.map((name) => {
      const reported = subjectsOf(run).flatMap((subject) => latest.get(subject, name) ?? []);
      return reported.sort((a, b) => b.at.getTime() - a.at.getTime())[0]?.value ?? null;
    }),
  );
}

const subjectsOf = ({ id, reference }: Run): Subject[] =>
  reference === null ? [{ executionId: id }] : [{ executionId: id }, { reference }];
