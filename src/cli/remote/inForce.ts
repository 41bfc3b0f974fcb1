import type { ChangeRequest } from '#openapi/types.gen.js';
import { operations } from '#openapi/operations.gen.js';
import type { WriteChange } from '../../changes/changes.schema.js';
import { formatJson } from '../../../workers/json/index.js';
import type { Call } from '../command.js';
import { allowed, ServiceRefusal } from './service.js';

/**
 * Whether an environment has all of this already, so that nothing would change. What a token may not read, and a secret, which
 * nobody may, counts as something else.
 */
export const isInForce = (call: Call, environmentId: string, changes: readonly WriteChange[]): Promise<boolean> =>
  allowed(false, async () => {
    for (const change of changes) if (!(await isSame(call, environmentId, change))) return false;
    return changes.length > 0;
  });

/** The newest open request of an environment that deploys one of the decisions. Where the token may read none, that is said. */
export async function openRequestOf(
  { all, session }: Call,
  environmentId: string,
  changes: readonly WriteChange[],
): Promise<ChangeRequest | undefined> {
  const found: ChangeRequest[] = [];
  try {
    for (const change of changes) {
      if (change.type !== 'deploy') continue;
      for (const state of ['OPEN', 'APPROVED'] as const) {
        const filter = { environmentId, decisionId: change.decisionId, state };
        found.push(...(await all(operations.listChangeRequests, filter)));
      }
    }
  } catch (error) {
    if (!(error instanceof ServiceRefusal && error.status === 403)) throw error;
    session.note('Whether the same is asked for already is not known: that needs the scope change:read.');
  }
  return found.sort((one, other) => (one.id < other.id ? 1 : -1))[0];
}

async function isSame({ ask, all }: Call, id: string, change: WriteChange): Promise<boolean> {
  switch (change.type) {
    case 'deploy': {
      const routings = await all(operations.listRoutings, {});
      return routings.some(
        ({ environmentId, decisionId, version, inForce }) =>
          inForce && environmentId === id && decisionId === change.decisionId && version === change.version,
      );
    }
    case 'hosts': {
      const { hosts } = (await ask(operations.getHosts, { id })).body;
      return formatJson([...hosts].sort()) === formatJson([...(change.hosts ?? [])].sort());
    }
    case 'variable': {
      const present = (await all(operations.listVariables, { id })).find(({ name }) => name === change.name);
      const isPlain = present?.secret === false && change.secret !== true;
      return isPlain && formatJson(present.value) === formatJson(change.value);
    }
    case 'variable.delete':
      return !(await all(operations.listVariables, { id })).some(({ name }) => name === change.name);
  }
}
