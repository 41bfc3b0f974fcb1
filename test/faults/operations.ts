import { randomUUID } from 'node:crypto';
import type { Knex } from 'knex';
import { listVariables, setVariable } from '../../src/environments/variables.store.js';
import { problems } from '../../src/errors.js';
import { isConnectionLoss } from '../../src/storage/database.js';
import { idToBytes } from '../../src/storage/ids.js';
import { buildInquiry, type Store } from '../support/factories.js';
import { call, type Answer } from '../support/http.js';
import { pathOf, patchAs, sms } from '../support/inquiries.js';
import { doubling } from '../support/models.js';
import type { ServerProcess } from '../support/process.js';
import { buildScene, type Scene } from '../support/scene.js';
import { askToken } from '../support/tokens.js';

/** What an attempt came to: `done`, or a code of the contract; anything else is a fault of ours. */
export type Ending = string;

/** One kind of request, made again and again while something is broken, and then held against the database. */
export interface Operation {
  readonly name: string;
  attempt(): Promise<Ending>;
  /** What is there and should not be, or is not and should; once all is well again. */
  verify(): Promise<readonly string[]>;
}

export interface Stage {
  readonly server: ServerProcess;
  readonly scene: Scene;
  /** Straight to MySQL, whatever is broken between it and the server. */
  readonly store: Store;
  /** By the same way as the server's, for what the command line does. */
  readonly hurt: Store;
  readonly decisionId: string;
  readonly environmentId: string;
}

export async function setStage(server: ServerProcess, store: Store, hurt: Store): Promise<Stage> {
  const scene = await buildScene(server, { store });
  const decisionId = await scene.decision('pairs.json', doubling(2));
  const environmentId = await scene.environment();
  await scene.deploy(decisionId, environmentId, 1);
  return { server, scene, store, hurt, decisionId, environmentId };
}

const longestMs = 15_000;

/** The ending of an HTTP request; `onDone` gets a successful answer. */
async function ending(request: Promise<Answer>, onDone: (body: never) => string | undefined): Promise<Ending> {
  const late = new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), longestMs).unref());
  const answer = await Promise.race([request, late]).catch((error: unknown) => (error as Error).message);
  if (answer === undefined) return `no answer in ${longestMs} ms`;
  if (typeof answer === 'string') return answer;
  if (answer.status < 300) return onDone(answer.body as never) ?? 'done';
  const { code, error } = (answer.body ?? {}) as { code?: string; error?: string };
  if (error === 'temporarily_unavailable' && answer.status === 503) return 'dependency_unavailable';
  const known =
    code !== undefined && code in problems && problems[code as keyof typeof problems].status === answer.status;
  return known ? code : `${answer.status} ${answer.text.slice(0, 200)}`;
}

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

const rowsWhere = (database: Knex, table: string, where: object): Promise<Record<string, unknown>[]> =>
  database(table).where(where);

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

/** Deployments of a pair of their own: new ones are made, older ones deleted. */
async function deployAndDelete({ scene, store, decisionId }: Stage): Promise<Operation[]> {
  const environmentId = await scene.environment();
  const fields = { decisionId, environmentId, version: 1, deployedBy: 'test' };
  const partsOf = async (id: Buffer): Promise<number[]> => [
    (await rowsWhere(store.database, 'deployments', { id })).length,
    (await rowsWhere(store.database, 'routings', { deployment_id: id })).length,
  ];
  const waiting: string[] = [];
  while (waiting.length < 40) waiting.push(await scene.deploy(decisionId, environmentId, 1));
  const made = new Map<string, string | undefined>();
  const deleted = new Map<string, Ending>();
  const deploy: Operation = {
    name: 'deploy',
    attempt() {
      const name = randomUUID();
      made.set(name, undefined);
      return ending(scene.caller.post('/logic/deployments', { ...fields, name }), ({ id }: { id: string }) => {
        made.set(name, id);
        return undefined;
      });
    },
    async verify() {
      const wrong: string[] = [];
      for (const [name, id] of made) {
        const rows = await rowsWhere(store.database, 'deployments', { name });
        const [row] = rows;
        if (rows.length > 1 || (id !== undefined && row === undefined)) wrong.push(`${name}: ${rows.length} rows`);
        if (row === undefined) continue;
        const parts = await partsOf(row['id'] as Buffer);
        if (parts.join() !== '1,1') wrong.push(`${name} is there in part: ${parts.join()}`);
      }
      return wrong;
    },
  };
  const remove: Operation = {
    name: 'delete a deployment',
    async attempt() {
      const id = waiting.pop();
      if (id === undefined) return 'done';
      const end = await ending(scene.caller.delete(`/logic/deployments/${id}`), () => undefined);
      deleted.set(id, end);
      return end;
    },
    async verify() {
      const wrong: string[] = [];
      for (const [id, end] of deleted) {
        const parts = (await partsOf(idToBytes(id))).join();
        if (parts !== '0,0' && (end === 'done' || parts !== '1,1')) wrong.push(`${id}: ${end}, then ${parts}`);
      }
      return wrong;
    },
  };
  return [deploy, remove];
}

function createEnvironment({ scene, store }: Stage): Operation {
  const made = new Map<string, string | undefined>();
  return {
    name: 'create an environment',
    attempt() {
      const name = randomUUID();
      made.set(name, undefined);
      const sent = scene.caller.post('/logic/environments', { name, description: name });
      return ending(sent, ({ id }: { id: string }) => {
        made.set(name, id);
        return undefined;
      });
    },
    async verify() {
      const wrong: string[] = [];
      for (const [name, id] of made) {
        const rows = await rowsWhere(store.database, 'environments', { name });
        const whole = rows.every((row) => row['description'] === name);
        if (rows.length > 1 || !whole || (id !== undefined && rows.length === 0)) {
          wrong.push(`${name}: ${rows.length} rows`);
        }
      }
      return wrong;
    },
  };
}

/** Writes one value after the other to one place, where the last acknowledged or a later one must then be. */
function register(name: string, write: (value: string) => Promise<Ending>, read: () => Promise<unknown>): Operation {
  let possible: string[] = [];
  return {
    name,
    async attempt() {
      const value = randomUUID();
      possible.push(value);
      const end = await write(value);
      if (end === 'done') possible = [value];
      return end;
    },
    async verify() {
      const value = await read();
      return possible.includes(String(value)) ? [] : [`${String(value)} is there, none of ${possible.join()}`];
    },
  };
}

async function patchEnvironment({ scene, store }: Stage): Promise<Operation> {
  const id = await scene.environment();
  return register(
    'patch an environment',
    (name) => ending(scene.caller.patch(`/logic/environments/${id}`, { name }), () => undefined),
    async () => (await rowsWhere(store.database, 'environments', { id: idToBytes(id) }))[0]?.['name'],
  );
}

async function setOneVariable({ scene, store, hurt }: Stage): Promise<Operation> {
  const place = { workspaceId: scene.workspaceId, environmentId: await scene.environment() };
  return register(
    'set a variable',
    async (value) => {
      try {
        await setVariable(hurt, place, { name: 'V', value, secret: true });
        return 'done';
      } catch (error) {
        return isConnectionLoss(error) ? 'dependency_unavailable' : String(error);
      }
    },
    async () => (await listVariables(store, place))[0]?.value,
  );
}

async function patchInquiry({ server, scene, store }: Stage): Promise<Operation> {
  const { id } = await buildInquiry(store, scene.tenantId);
  const patch = patchAs(server.baseUrl, scene.client);
  let done = 0;
  let tried = 0;
  const external = register(
    'patch an inquiry',
    async (externalId) => {
      tried++;
      const end = await ending(patch(pathOf(id), { externalId, notifications: [sms(externalId)] }), () => undefined);
      if (end === 'done') done++;
      return end;
    },
    async () => (await rowsWhere(store.database, 'inquiries', { id: idToBytes(id) }))[0]?.['external_id'],
  );
  return {
    ...external,
    async verify() {
      const queued = (await rowsWhere(store.database, 'outbox', { inquiry_id: idToBytes(id) })).length;
      const wrong = queued < done || queued > tried ? [`${queued} messages for ${done} of ${tried} updates`] : [];
      return [...(await external.verify()), ...wrong];
    },
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
