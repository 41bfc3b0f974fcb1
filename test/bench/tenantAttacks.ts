import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { paceAt } from '../../src/config/pace.js';
import { doubling, expressing, scripting, type Model } from '../support/models.js';
import { buildScene, logicHeaders, type Scene } from '../support/scene.js';
import type { Attack, Request } from './attacks.js';
import { deployModel, type Executable } from './decision.js';

// What one tenant did to all others in the third attack (`make bench-neighbours`), each as it was done then.

const mebibyte = 1024 * 1024;
const asJson = { 'Content-Type': 'application/json' };
const asCsv = { 'Content-Type': 'text/csv' };

const post = (scene: Scene, path: string, body: object | string, headers: object = asJson): Request => ({
  method: 'POST',
  path,
  headers: { ...logicHeaders(scene), ...headers },
  body: typeof body === 'string' ? body : JSON.stringify(body),
});
const once = (request: Request): Attack => ({ request: () => request });

/** More workspaces of the same tenant. */
const workspacesOf = ({ tenantId }: Scene, baseUrl: string, count: number): Promise<Scene[]> =>
  Promise.all(Array.from({ length: count }, () => buildScene({ baseUrl }, { tenantId })));

async function created(
  { caller }: Scene,
  path: string,
  body: object | string,
  headers: object = asJson,
): Promise<string> {
  const { status, text, body: answer } = await caller.post(path, body, { ...headers });
  if (status !== 200 && status !== 201) throw new Error(`${path}: ${status} ${text.slice(0, 300)}`);
  return (answer as { id?: string } | undefined)?.id ?? '';
}

/** A list of tools, of decisions that declare schemas of 1.5 MB. */
async function toolsOf(scene: Scene, decisions: number): Promise<Attack> {
  const properties = Object.fromEntries(
    Array.from({ length: 300 }, (_, at) => [`field${at}`, { type: 'string', description: 'x'.repeat(5000) }]),
  );
  const schema = JSON.stringify({ type: 'object', properties });
  const environmentId = await scene.environment();
  for (let at = 0; at < decisions; at++) {
    const model = doubling(at) as Model & { nodes: { content: object }[] };
    const [input, ...others] = model.nodes;
    const declared = { ...model, nodes: [{ ...input, content: { schema } }, ...others] };
    await scene.deploy(await scene.decision(`tool${at}.json`, declared), environmentId, 1);
  }
  return once(tool(scene, environmentId, 'tools/list', {}));
}

const tool = (scene: Scene, environmentId: string, method: string, params: object): Request =>
  post(
    scene,
    `/mcp/${environmentId}`,
    { jsonrpc: '2.0', id: 1, method, params },
    {
      ...asJson,
      Accept: 'application/json, text/event-stream',
    },
  );

const largeResult = expressing({ a: '{r: {r: {r: {r: map([0..n], {v: #})}}}}', r: '[1, 2, 3, 4, 5, 6]' });
/** Of `largeResult`, with a result of 4 MB. */
const largeFact = { n: 330_000 };

/** C1: lists of large tools of several workspaces, so that some are refused while they read. */
async function heldBytes(scene: Scene, baseUrl: string): Promise<Attack[]> {
  const scenes = [scene, ...(await workspacesOf(scene, baseUrl, 2))];
  return Promise.all(scenes.map((each) => toolsOf(each, 15)));
}

/** H1: erasures of executions of 145,000 numbers, beside a shadow that counted 900 different changes. */
async function largeErasures(scene: Scene): Promise<Attack[]> {
  const echo = await deployModel(scene, expressing({ y: 'x' }), { x: 1 }, 'echo.json');
  const { environmentId, decisionId } = echo;
  await scene.decision('echo.json', expressing({ y: 'x + 1' }));
  const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
  await created(scene, '/logic/shadows', { ...{ decisionId, environmentId, expiresAt }, version: 2, sample: 1 });
  await scene.settled();
  const rows = Array.from({ length: 900 }, (_, at) => `${at}\n`).join('');
  await created(scene, `/logic/${environmentId}/decisions/${decisionId}/batches`, `x\n${rows}`, asCsv);
  const fact = { x: 1, numbers: Array.from({ length: 145_000 }, (_, at) => at) };
  const ids: string[] = [];
  for (let at = 0; at < 10; at++) ids.push(await created(scene, echo.path, { fact }));
  // Those of a moment ago wait until they must have been recorded, and all of them is counted.
  await sleep(3 * paceAt(1).countedAfter);
  const request = (turn: number): Request => post(scene, '/logic/erasures', { executionIds: [ids[turn] ?? ids[0]] });
  return [{ request, turns: ids.length }];
}

/** H2: a hundred erasures of a thousand executions each that there are none of. */
function manyErasures(scene: Scene): Promise<Attack[]> {
  const ids = (): string[] => Array.from({ length: 1000 }, () => randomUUID());
  return Promise.resolve([{ request: () => post(scene, '/logic/erasures', { executionIds: ids() }), turns: 100 }]);
}

/** H3: three hundred monitors of drift. They do what they do from when they are there until the end. */
async function monitors(scene: Scene, baseUrl: string): Promise<Attack[]> {
  for (const each of [scene, ...(await workspacesOf(scene, baseUrl, 2))]) {
    const { environmentId, decisionId } = await deployModel(each, expressing({ y: 'x' }), { x: 1 });
    await each.caller.put(`/logic/decisions/${decisionId}/measured`, { pointers: ['/y'] });
    const watched = { ...{ environmentId, decisionId }, measure: { pointer: '/y' }, window: '24h' };
    for (let at = 0; at < 100; at++)
      await created(each, '/logic/monitors', { ...watched, name: `monitor ${at}`, condition: 'drift > 0.2' });
  }
  return [{ request: () => ({ method: 'GET', path: '/logic/monitors', headers: logicHeaders(scene) }), turns: 1 }];
}

/** H4: a file of 136 KB whose rows repeat titles of 1,000 characters. */
async function longTitles(scene: Scene): Promise<Attack[]> {
  const { environmentId, decisionId } = await deployModel(scene, expressing({ y: '1' }), {});
  const titles = Array.from({ length: 20 }, (_, at) => `${'t'.repeat(995)}${at}`).join(',');
  const csv = `${titles}\n${`${Array.from({ length: 20 }, () => '1').join(',')}\n`.repeat(2900)}`;
  return [once(post(scene, `/logic/${environmentId}/decisions/${decisionId}/batches`, csv, asCsv))];
}

/** H5: results of 4 MB with five measured fields. */
async function measuredFields(scene: Scene): Promise<Attack[]> {
  const { path, decisionId } = await deployModel(scene, largeResult, {});
  const pointers = [1, 2, 3, 4, 5].map((at) => `/r/${at}`);
  await scene.caller.put(`/logic/decisions/${decisionId}/measured`, { pointers });
  return [once(post(scene, path, { fact: largeFact }))];
}

/** H8: sixty workspaces, of which each sends bodies without an end and runs of 20 ms. */
async function manyWorkspaces(scene: Scene, baseUrl: string): Promise<Attack[]> {
  const slow = scripting('const t = Date.now(); while (Date.now() - t < 20); return {}');
  const attacks: Attack[] = [];
  for (const each of [scene, ...(await workspacesOf(scene, baseUrl, 59))]) {
    const target: Executable = await deployModel(each, slow, {});
    const run = once(post(each, target.path, { fact: {} }));
    const unfinished = {
      ...once(post(each, target.path, { fact: { t: 'x'.repeat(0.9 * mebibyte) } })),
      isUnfinished: true,
    } as const;
    attacks.push(run, run, ...Array.from({ length: 10 }, () => unfinished));
  }
  return attacks;
}

/** M1: more deployments than there are counters of measures, each with an execution. */
async function manyCounters(scene: Scene): Promise<Attack[]> {
  const ids: string[] = [];
  for (let at = 0; at < 45; at++) ids.push(await scene.decision(`counted${at}.json`, doubling(at)));
  const requests: Request[] = [];
  for (let environment = 0; environment < 46; environment++) {
    const environmentId = await scene.environment();
    const paths = ids.map((id) => `/logic/${environmentId}/decisions/${id}/executions`);
    for (const [at, id] of ids.entries()) {
      await scene.deploy(id, environmentId, 1);
      await scene.caller.post(paths[at] ?? '', { fact: { x: 1 } });
    }
    requests.push(...paths.map((path) => post(scene, path, { fact: { x: 1 } })));
  }
  return [{ request: (turn) => requests[turn % requests.length] ?? post(scene, '/', {}) }];
}

/** M2: one list of tools after the other, of fifty decisions. */
const largeTools = async (scene: Scene): Promise<Attack[]> => [await toolsOf(scene, 50)];

/** M3: tools whose answer has 4 MB. */
async function largeAnswers(scene: Scene): Promise<Attack[]> {
  const { environmentId } = await deployModel(scene, largeResult, {}, 'large.json');
  return [once(tool(scene, environmentId, 'tools/call', { name: 'large', arguments: largeFact }))];
}

/** M4: files whose answers do not fit into one file. */
async function unfitAnswers(scene: Scene): Promise<Attack[]> {
  const { environmentId, decisionId } = await deployModel(scene, expressing({ all: 'map([0..n], #)' }), {});
  const csv = `n\n${'20000\n'.repeat(300)}`;
  return [once(post(scene, `/logic/${environmentId}/decisions/${decisionId}/batches`, csv, asCsv))];
}

export const tenantAttacks = {
  ...{ heldBytes, largeErasures, manyErasures, monitors, longTitles, measuredFields, manyWorkspaces },
  ...{ manyCounters, largeTools, largeAnswers, unfitAnswers },
};
