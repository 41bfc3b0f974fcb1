import { expect } from 'chai';
import fc from 'fast-check';
import type { Answer } from '../support/http.js';
import { commandOf, nth, someIndex, someServer, type Command } from './command.js';
import type { Server } from './history.js';
import {
  hasHistory,
  pairOf,
  rateOf,
  removeDeployments,
  routeOf,
  type Deployment,
  type Model,
  type Route,
} from './model.js';
import { expectStatus, type System } from './system.js';

interface Run {
  readonly environmentId: string;
  readonly decision: number;
  readonly x: number;
}

/** What an execution that is sent now may go by. */
interface Expected {
  readonly routes: readonly (Route | null)[];
  readonly workingCopies: readonly number[];
  readonly rates: readonly (string | null)[];
}

function expectedOf(model: Model, server: Server, { environmentId, decision }: Run): Expected {
  return {
    routes: routeOf(model, pairOf(environmentId, decision)).visible(server),
    workingCopies: model.decisions[decision]!.workingCopy.visible(server),
    rates: rateOf(model, environmentId).visible(server),
  };
}

const send = ({ at, decisionIds }: System, server: Server, run: Run, key?: string): Promise<Answer> =>
  at[server].post(
    `/logic/${run.environmentId}/decisions/${decisionIds[run.decision]!}/executions`,
    { fact: { x: run.x } },
    key === undefined ? {} : { 'Idempotency-Key': key },
  );

/** Holds an execution's answer, and its record, against what it may have gone by. */
async function judge(model: Model, system: System, run: Run, expected: Expected, answer: Answer): Promise<void> {
  const { routes, workingCopies, rates } = expected;
  if (answer.status !== 201) {
    const isThere = model.environments.get(run.environmentId)?.alive === true;
    expect(routes, answer.text).to.include(null);
    expectStatus(answer, 404, isThere ? 'routing_not_found' : 'environment_not_found');
    return;
  }
  const { id, status, result } = answer.body as { id: string; status: string; result: { y: number; rate?: string } };
  expect(status).to.equal('COMPLETED');
  const deploymentId = await system.deploymentOf(id);
  const route = routes.find((one) => one?.deploymentId === deploymentId);
  expect(route, `run on ${deploymentId}, where ${JSON.stringify(routes)} were possible`).to.not.equal(undefined);
  const { versions } = model.decisions[run.decision]!;
  const factors = route!.version === 0 ? workingCopies : [versions[route!.version - 1]];
  expect(result.y / run.x, 'the factor of the version').to.be.oneOf(factors);
  // What is null is left out of a result.
  expect(result.rate ?? null).to.be.oneOf([...rates]);
  model.executions.push({ id, environmentId: run.environmentId, deploymentId: deploymentId! });
}

interface Target {
  readonly server: Server;
  readonly environment: number;
  readonly decision: number;
}

export async function execute(model: Model, system: System, { server, environment, decision }: Target): Promise<void> {
  const run = { environmentId: nth(model.environments.keys(), environment), decision, x: 7 };
  const expected = expectedOf(model, server, run);
  await judge(model, system, run, expected, await send(system, server, run));
}

/** The same key with the same request is answered alike; with another request it is refused, if there is what it asks for. */
async function executeOnce(
  model: Model,
  system: System,
  { server, environment, decision, key }: Target & { key: string },
): Promise<void> {
  const run = { environmentId: nth(model.environments.keys(), environment), decision, x: 3 };
  const request = JSON.stringify(run);
  const first = model.keys.get(key);
  const expected = expectedOf(model, server, run);
  const answer = await send(system, server, run, key);
  if (first === undefined) {
    await judge(model, system, run, expected, answer);
    if (answer.status === 201) model.keys.set(key, { request, text: answer.text });
  } else if (first.request === request) {
    expect([answer.status, answer.text]).to.deep.equal([201, first.text]);
    expect(answer.headers['idempotency-replayed']).to.equal('true');
  } else if (answer.status === 404) await judge(model, system, run, expected, answer);
  else {
    expectStatus(answer, 422, 'idempotency_key_reused');
    expect(
      expected.routes.some((route) => route !== null),
      'what is absent is found first',
    ).to.equal(true);
  }
}

async function evaluate(
  model: Model,
  system: System,
  { server, decision, version }: { server: Server; decision: number; version: number },
): Promise<void> {
  const { versions, workingCopy } = model.decisions[decision]!;
  const possible = version === 0 ? workingCopy.visible(server) : [versions[version - 1]];
  const path = `/logic/decisions/${system.decisionIds[decision]!}/evaluations`;
  const answer = await system.at[server].post(path, { version, fact: { x: 5 } });
  if (version > versions.length) {
    expectStatus(answer, 404, 'version_not_found');
    return;
  }
  expectStatus(answer, 201);
  const { result } = answer.body as { result: { y: number } };
  expect(result.y / 5).to.be.oneOf(possible);
  expect(result, 'variables do not resolve in evaluations').to.have.all.keys('y');
}

/** A DELETE and executions at once: it is refused, or none of them ran on what it removed. */
async function race(model: Model, system: System, { server, index }: { server: Server; index: number }): Promise<void> {
  const { id, environmentId, decision } = nth(alive(model), index);
  const run = { environmentId, decision, x: 2 };
  const pair = pairOf(environmentId, decision);
  const before = ([0, 1, 1, 0] as const).map((at) => ({ at, expected: expectedOf(model, at, run) }));
  const wasNamed = hasHistory(model, new Set([id]));
  const sending = before.map(({ at }) => send(system, at, run));
  const removing = system.at[server].delete(`/logic/deployments/${id}`);
  const [removed, ...answers] = await Promise.all([removing, ...sending]);
  if (removed.status === 204) {
    expect(wasNamed).to.equal(false);
    removeDeployments(model, new Set([id]), server);
  } else expectStatus(removed, 409, 'execution_history_exists');
  const after = routeOf(model, pair).current;
  for (const [place, answer] of answers.entries()) {
    const { expected } = before[place]!;
    // Who went by the route that was removed found it gone, and went by the one after it.
    const routes = [...expected.routes, after].filter((route) => removed.status !== 204 || route?.deploymentId !== id);
    await judge(model, system, run, { ...expected, routes }, answer);
  }
  if (removed.status === 409) expect(hasHistory(model, new Set([id]))).to.equal(true);
}

const alive = ({ deployments }: Readonly<Model>): Deployment[] => [...deployments.values()].filter((one) => one.alive);

const some = ({ environments }: Readonly<Model>): boolean => environments.size > 0;
const asked = { server: someServer, environment: someIndex, decision: fc.nat(1) };
const someKey = fc.constantFrom('a', 'b', 'c');
const someEvaluation = fc.record({ server: someServer, decision: fc.nat(1), version: fc.nat(5) });
const raced = fc.record({ server: someServer, index: someIndex });

export const executeCommand = commandOf('execute', fc.record(asked), execute, some);

export const runCommands: fc.Arbitrary<Command>[] = [
  commandOf('execute once', fc.record({ ...asked, key: someKey }), executeOnce, some),
  commandOf('evaluate', someEvaluation, evaluate),
  commandOf('delete deployment while it runs', raced, race, (model) => alive(model).length > 0),
];
