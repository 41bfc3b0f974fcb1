import { auditActionEntries } from '../audit/audit.store.js';
import type { Connection } from '../storage/database.js';
import { findLeaf } from './leaves.store.js';

/** The action of the audit entries that tell of restarts. */
export const restartAction = 'evidence.restart';

/** What such an entry has as `after`. */
export interface ToldRestart {
  /** The number of the tree that begins. */
  readonly generation: number;
  /** Its name. */
  readonly origin: string;
  /** The leaves that it has of the tree before: all that the restored database had of it. */
  readonly leaves: number;
  /** The newest head of the tree before that was kept outside of the database, a signed note; null where none was. */
  readonly head: string | null;
  readonly reason: string;
}

/** A restart of a workspace's evidence. */
export interface Restart extends ToldRestart {
  /** Of the audit entry, whose leaf is the first of the tree that begins after those which it keeps. */
  readonly id: string;
}

/** The restarts of a workspace, oldest first. An entry counts where its leaf is the one that it names: anybody may have written others. */
export async function readRestarts(connection: Connection, workspaceId: string): Promise<Restart[]> {
  const restarts: Restart[] = [];
  for await (const restart of toldRestarts(connection, workspaceId))
    if ((await findLeaf(connection, workspaceId, restart.id))?.position === restart.leaves) restarts.push(restart);
  return restarts.sort((one, other) => one.generation - other.generation);
}

/** What audit entries tell of restarts, whoever wrote them. They are read by pages, and the caller checks them. */
export async function* toldRestarts(connection: Connection, workspaceId: string): AsyncGenerator<Restart> {
  for await (const { id, after } of auditActionEntries(connection, workspaceId, restartAction))
    yield { id, ...(after as ToldRestart) };
}
