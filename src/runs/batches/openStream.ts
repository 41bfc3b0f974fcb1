import type { Owners } from '../../admission/owners.js';
import { Semaphores } from '../../admission/semaphore.js';
import { Problem } from '../../errors.js';

/** Of a workspace, and of a tenant, in a server process; each may hold a line, and chunks that run or wait. */
const most = { workspace: 32, tenant: 64 } as const;

/** Opens a stream of lines for a workspace, or throws `overloaded`. @returns what is to be called at the stream's end */
export type OpenStream = (workspaceId: string) => () => void;

export function createOpenStream(owners: Owners): OpenStream {
  const open = { workspace: new Semaphores(() => most.workspace), tenant: new Semaphores(() => most.tenant) };
  return (workspaceId) => {
    const { tenantId } = owners.of(workspaceId);
    const sides = [['workspace', workspaceId] as const, ['tenant', tenantId] as const];
    for (const [side, name] of sides) {
      if (open[side].hasRoom(name)) continue;
      const detail = `The ${side} has ${most[side]} streams of lines open already. Nothing was run.`;
      throw new Problem('overloaded', detail, { retryAfter: 1 });
    }
    for (const [side, name] of sides) open[side].force(name);
    return () => {
      for (const [side, name] of sides) open[side].release(name);
    };
  };
}
