import { randomUUID } from 'node:crypto';
import { idToBytes } from '../../../src/storage/ids.js';
import { call } from '../../support/http.js';
import { askToken } from '../../support/tokens.js';
import { ending, rowsWhere, type Operation, type Stage } from './stage.js';
import { createEnvironment, deployAndDelete, patchEnvironment, patchInquiry, setOneVariable } from './writes.js';

/** All of them, each with what it needs made new. */
export async function makeOperations(stage: Stage): Promise<Operation[]> {
  return [
    execute(stage),
    evaluate(stage),
    ...(await deployAndDelete(stage)),
    createEnvironment(stage),
    await patchEnvironment(stage),
    await setOneVariable(stage),
    token(stage),
    list(stage),
    await patchInquiry(stage),
    health(stage),
  ];
}

function execute({ scene, store, environmentId, decisionId }: Stage): Operation {
  const made: { readonly requestId: string; id?: string }[] = [];
  return {
    name: 'execute',
    attempt() {
      const one: (typeof made)[number] = { requestId: randomUUID() };
      made.push(one);
      const path = `/logic/${environmentId}/decisions/${decisionId}/executions`;
      const sent = scene.caller.post(path, { fact: { x: made.length } }, { 'X-Request-Id': one.requestId });
      const y = 2 * made.length;
      return ending(sent, (body: { id: string; result: { y: number } }) => {
        one.id = body.id;
        return body.result.y === y ? undefined : `wrong result ${body.result.y}`;
      });
    },
    async verify() {
      const wrong: string[] = [];
      for (const { requestId, id } of made) {
        const rows = await rowsWhere(store.database, 'executions', { request_id: idToBytes(requestId) });
        if (rows.length > 1) wrong.push(`${requestId} is recorded ${rows.length} times`);
        const found = rows.some((row) => (row['id'] as Buffer).equals(idToBytes(id ?? requestId)));
        if (id !== undefined && !found) wrong.push(`${id} was answered and is lost`);
      }
      return wrong;
    },
  };
}

function evaluate({ scene, decisionId }: Stage): Operation {
  return {
    name: 'evaluate',
    attempt: () =>
      ending(
        scene.caller.post(`/logic/decisions/${decisionId}/evaluations`, { version: 1, fact: { x: 4 } }),
        (body: { result: { y: number } }) => (body.result.y === 8 ? undefined : `wrong result ${body.result.y}`),
      ),
    verify: () => Promise.resolve([]),
  };
}

const token = ({ server, scene }: Stage): Operation => ({
  name: 'get a token',
  attempt: () =>
    ending(askToken(server.baseUrl, scene.client), ({ access_token: text }: { access_token: string }) =>
      text.split('.').length === 3 ? undefined : 'no token',
    ),
  verify: () => Promise.resolve([]),
});

const list = ({ scene }: Stage): Operation => ({
  name: 'list environments',
  attempt: () =>
    ending(scene.caller.get('/logic/environments?size=5'), ({ data }: { data: unknown[] }) =>
      data.length > 0 ? undefined : 'an empty list',
    ),
  verify: () => Promise.resolve([]),
});

const health = ({ server }: Stage): Operation => ({
  name: 'health',
  async attempt() {
    const live = await call(`${server.adminUrl}/healthz`);
    if (live.status !== 200) return `not alive: ${live.status}`;
    const { status } = await call(`${server.adminUrl}/readyz`);
    return status === 200 ? 'done' : status === 503 ? 'dependency_unavailable' : `readiness ${status}`;
  },
  verify: () => Promise.resolve([]),
});
