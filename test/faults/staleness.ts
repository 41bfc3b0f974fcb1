/** A deployment that was answered. Times are milliseconds of `performance.now()`. */
export interface Change {
  /** The process that answered. */
  readonly by: number;
  readonly answered: number;
  readonly deploymentId: string;
}

/** An execution that was answered 201. */
export interface Run {
  /** The process that ran it. */
  readonly at: number;
  readonly sent: number;
  readonly received: number;
  readonly id: string;
}

/** How long another process than the one that answered may go on with what a change replaced (hardening.md). */
const promisedMs = 1000;

/**
 * Holds executions of one pair against its changes, which were made one after the other: each may have gone by a
 * replaced deployment only if its request was sent within `promisedMs` of the answer to the next change, and to another
 * process than the one that gave that answer; and no process goes back to what it has seen replaced.
 * @param deployments of each recorded execution, by its id
 */
export function staleRuns(
  changes: readonly Change[],
  runs: readonly Run[],
  deployments: ReadonlyMap<string, string>,
): { readonly faults: readonly string[]; readonly slowestMs: number } {
  const indexes = new Map(changes.map(({ deploymentId }, changeIndex) => [deploymentId, changeIndex]));
  const faults: string[] = [];
  let slowestMs = 0;
  const located = runs.flatMap((run) => {
    const deploymentId = deployments.get(run.id);
    if (deploymentId === undefined) {
      faults.push(`execution ${run.id} was acknowledged and is not recorded`);
      return [];
    }
    // What was deployed before all changes is in force until the first of them.
    return [{ ...run, changeIndex: indexes.get(deploymentId) ?? -1 }];
  });
  for (const { at, sent, changeIndex } of located) {
    const next = changes[changeIndex + 1];
    if (next === undefined || next.answered >= sent) continue;
    const age = Math.round(sent - next.answered);
    slowestMs = Math.max(slowestMs, age);
    const own = changes.slice(changeIndex + 1).find(({ by, answered }) => by === at && answered < sent);
    if (own !== undefined)
      faults.push(`process ${at} ran change ${changeIndex}, though it had answered a later one itself`);
    else if (age > promisedMs)
      faults.push(`process ${at} ran change ${changeIndex}, which was replaced ${age} ms before`);
  }
  return { faults: [...faults, ...stepsBack(located)], slowestMs };
}

function stepsBack(runs: readonly (Run & { readonly changeIndex: number })[]): string[] {
  const faults: string[] = [];
  for (const at of new Set(runs.map((run) => run.at))) {
    const own = runs.filter((run) => run.at === at);
    const sent = [...own].sort((one, other) => one.sent - other.sent);
    const received = [...own].sort((one, other) => one.received - other.received);
    let seen = -1;
    let next = 0;
    for (const run of sent) {
      for (; next < received.length && received[next]!.received < run.sent; next++) {
        seen = Math.max(seen, received[next]!.changeIndex);
      }
      if (run.changeIndex < seen)
        faults.push(`process ${at} ran change ${run.changeIndex} after it had run change ${seen}`);
    }
  }
  return faults;
}
