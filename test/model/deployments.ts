import { expect } from 'chai';
import fc from 'fast-check';
import { commandOf, nth, someIndex, someServer, type Command } from './command.js';
import { expectListed } from './environments.js';
import type { Server } from './history.js';
import { addRow, hasHistory, removeDeployments, type Deployment, type Model } from './model.js';
import { expectStatus, type System } from './system.js';

const path = '/logic/deployments';
const someDecision = fc.nat(1);
/** 99 is never saved. */
const someVersion = fc.oneof({ weight: 3, arbitrary: fc.nat(4) }, { weight: 1, arbitrary: fc.constantFrom(null, 99) });

const someEnvironment = ({ environments }: Readonly<Model>): boolean => environments.size > 0;
const some = ({ deployments }: Readonly<Model>): boolean => deployments.size > 0;

const hasVersion = ({ decisions }: Model, decision: number, version: number): boolean =>
  version <= decisions[decision]!.versions.length;

function bodyOf({ decisionIds }: System, deployment: Deployment): object {
  const { id, environmentId, version, name, decision } = deployment;
  return { id, environmentId, version, name, decisionId: decisionIds[decision] };
}

interface New {
  readonly server: Server;
  readonly environment: number;
  readonly decision: number;
  readonly version: number | null;
}

export async function deploy(
  model: Model,
  system: System,
  { server, environment, decision, version }: New,
): Promise<void> {
  const { id: environmentId, alive } = nth(model.environments.values(), environment);
  const body = { decisionId: system.decisionIds[decision], environmentId, version, name: 'D', deployedBy: 'model' };
  const answer = await system.at[server].post(path, body);
  if (!alive || !hasVersion(model, decision, version ?? 0)) {
    expectStatus(answer, 422, 'reference_not_found');
    return;
  }
  expectStatus(answer, 201);
  const { id } = answer.body as { id: string };
  const made = { id, decision, environmentId, version: version ?? 0, name: 'D', revision: 1, alive: true };
  expect(answer.body).to.include(bodyOf(system, made));
  model.deployments.set(id, made);
  addRow(model, made, server);
}

interface Change {
  readonly server: Server;
  readonly index: number;
  readonly environment: number | null;
  readonly decision: number | null;
  readonly version: number | null;
}

/** The record changes; the routing does not. */
async function update(model: Model, system: System, change: Change): Promise<void> {
  const present = nth(model.deployments.values(), change.index);
  const environment = change.environment === null ? undefined : nth(model.environments.values(), change.environment);
  const changed = {
    ...present,
    environmentId: environment?.id ?? present.environmentId,
    decision: change.decision ?? present.decision,
    version: change.version ?? present.version,
    name: 'Changed',
    revision: present.revision + 1,
  };
  const answer = await system.at[change.server].patch(`${path}/${present.id}`, {
    ...(environment === undefined ? {} : { environmentId: environment.id }),
    ...(change.decision === null ? {} : { decisionId: system.decisionIds[change.decision] }),
    ...(change.version === null ? {} : { version: change.version }),
    name: 'Changed',
  });
  if (!present.alive) {
    expectStatus(answer, 404, 'deployment_not_found');
    return;
  }
  const isThere = model.environments.get(changed.environmentId)?.alive === true;
  if (!isThere || !hasVersion(model, changed.decision, changed.version)) {
    expectStatus(answer, 422, 'reference_not_found');
    return;
  }
  expectStatus(answer, 200);
  expect(answer.body).to.include(bodyOf(system, changed));
  model.deployments.set(present.id, changed);
}

interface OfOne {
  readonly server: Server;
  readonly index: number;
}

async function get(model: Model, system: System, { server, index }: OfOne): Promise<void> {
  const deployment = nth(model.deployments.values(), index);
  const answer = await system.at[server].get(`${path}/${deployment.id}`);
  if (!deployment.alive) {
    expectStatus(answer, 404, 'deployment_not_found');
    return;
  }
  expectStatus(answer, 200);
  expect(answer.body).to.include(bodyOf(system, deployment));
  expect(answer.headers['etag']).to.equal(`"${deployment.revision}"`);
}

async function remove(model: Model, { at }: System, { server, index }: OfOne): Promise<void> {
  const { id, alive } = nth(model.deployments.values(), index);
  const answer = await at[server].delete(`${path}/${id}`);
  if (alive && hasHistory(model, new Set([id]))) {
    expectStatus(answer, 409, 'execution_history_exists');
    return;
  }
  expectStatus(answer, 204);
  if (alive) removeDeployments(model, new Set([id]), server);
}

export const shownDeployments = (model: Model, system: System): Map<string, object> =>
  new Map([...model.deployments.values()].filter(({ alive }) => alive).map((one) => [one.id, bodyOf(system, one)]));

async function list(model: Model, system: System, { size }: { size: number }): Promise<void> {
  await expectListed(system, path, shownDeployments(model, system), size);
}

const ofOne = fc.record({ server: someServer, index: someIndex });
const someNew = fc.record({
  server: someServer,
  environment: someIndex,
  decision: someDecision,
  version: someVersion,
});
const someChange = fc.record({
  server: someServer,
  index: someIndex,
  environment: fc.option(someIndex),
  decision: fc.option(someDecision),
  version: someVersion,
});

export const deploymentCommands: fc.Arbitrary<Command>[] = [
  commandOf('deploy', someNew, deploy, someEnvironment),
  commandOf('update deployment', someChange, update, some),
  commandOf('get deployment', ofOne, get, some),
  commandOf('delete deployment', ofOne, remove, some),
  commandOf('list deployments', fc.record({ size: fc.integer({ min: 1, max: 5 }) }), list),
];

export const deployCommand = deploymentCommands[0]!;
