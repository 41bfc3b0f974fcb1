import { randomUUID } from 'node:crypto';
import { pageOfVariables, setVariable } from '../../../src/environments/variables.store.js';
import { isConnectionLoss } from '../../../src/storage/mysqlErrors.js';
import { idToBytes } from '../../../src/storage/ids.js';
import { buildInquiry } from '../../support/factories.js';
import { pathOf, patchAs, sms } from '../../support/inquiries.js';
import { faultSeconds } from '../table.js';
import { ending, rowsWhere, type Ending, type Operation, type Stage } from './stage.js';

/** Deployments of a pair of their own: new ones are made, older ones deleted. */
export async function deployAndDelete({ scene, store, decisionId }: Stage): Promise<Operation[]> {
  const environmentId = await scene.environment();
  const fields = { decisionId, environmentId, version: 1, deployedBy: 'test' };
  const partsOf = async (id: Buffer): Promise<number[]> => [
    (await rowsWhere(store.database, 'deployments', { id })).length,
    (await rowsWhere(store.database, 'routings', { deployment_id: id })).length,
  ];
  const waiting: string[] = [];
  // As many as a fault has time for.
  while (waiting.length < (faultSeconds > 0 ? 40 : 16)) waiting.push(await scene.deploy(decisionId, environmentId, 1));
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

export function createEnvironment({ scene, store }: Stage): Operation {
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

export async function patchEnvironment({ scene, store }: Stage): Promise<Operation> {
  const id = await scene.environment();
  return register(
    'patch an environment',
    (name) => ending(scene.caller.patch(`/logic/environments/${id}`, { name }), () => undefined),
    async () => (await rowsWhere(store.database, 'environments', { id: idToBytes(id) }))[0]?.['name'],
  );
}

export async function setOneVariable({ scene, store, hurt }: Stage): Promise<Operation> {
  const ref = { workspaceId: scene.workspaceId, environmentId: await scene.environment() };
  return register(
    'set a variable',
    async (value) => {
      try {
        await setVariable(hurt, ref, { name: 'V', value, secret: true });
        return 'done';
      } catch (error) {
        return isConnectionLoss(error) ? 'dependency_unavailable' : String(error);
      }
    },
    async () => (await pageOfVariables(store, ref, { size: 1, after: null, before: null })).data[0]?.value,
  );
}

export async function patchInquiry({ server, scene, store }: Stage): Promise<Operation> {
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
