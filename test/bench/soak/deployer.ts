import type { Asker, Reply } from './asker.js';
import type { Random } from './random.js';
import { logicHeaders } from '../../support/scene.js';
import type { DeployedPair, World } from './world.js';

const kind = 'deployment';

/** Changes the routing of one pair: mostly a deployment, at times a change of its record, or its end. */
export async function redeploy(asker: Asker, world: World, random: Random): Promise<void> {
  const pair = random.of(world.pairs);
  const chance = random.upTo(10);
  if (chance < 7 || pair.standing.length < 2) await deploy(asker, world, pair, random);
  else if (chance < 9) await remove(asker, world, pair);
  else await rename(asker, world, pair, random);
}

const failed = ({ label }: Reply): boolean => label === 'network' || label.startsWith('5');

async function deploy(asker: Asker, world: World, pair: DeployedPair, random: Random): Promise<void> {
  const version = 1 + random.upTo(world.priced.versions);
  const body = {
    decisionId: world.priced.decisionId,
    environmentId: pair.environmentId,
    version,
    name: 'Soak',
    deployedBy: 'soak',
  };
  const change = pair.promised.begin(version);
  const question = { method: 'POST', path: '/logic/deployments', headers: logicHeaders(world.scene), body } as const;
  const reply = await asker.ask(kind, question, ({ label }) => label === '201');
  if (reply.label === '201') {
    change.confirmed();
    pair.standing.push({ id: String(reply.json.id), version });
  } else if (failed(reply)) {
    change.unknown();
    // Whatever lies below the next one is not known any more, so that nothing is deleted down to it.
    pair.standing.length = 0;
  } else change.refused();
}

/** The one in force: nothing may have run on it yet, or something has, and it stays. */
async function remove(asker: Asker, world: World, pair: DeployedPair): Promise<void> {
  const [below, top] = pair.standing.slice(-2);
  if (below === undefined || top === undefined) return;
  const change = pair.promised.begin(below.version, true);
  const question = {
    method: 'DELETE',
    path: `/logic/deployments/${top.id}`,
    headers: logicHeaders(world.scene),
  } as const;
  const reply = await asker.ask(
    kind,
    question,
    ({ label }) => label === '204' || label === '409 execution_history_exists',
  );
  if (reply.label === '204') {
    change.confirmed();
    pair.standing.pop();
  } else if (failed(reply)) {
    change.unknown();
    pair.standing.length = 0;
  } else change.refused();
}

/** Of the record alone: what runs stays as it is. */
async function rename(asker: Asker, world: World, pair: DeployedPair, random: Random): Promise<void> {
  const id = pair.standing.at(-1)?.id ?? '';
  const body = { version: 1 + random.upTo(world.priced.versions), message: `Changed ${random.upTo(1000)}` };
  const question = {
    method: 'PATCH',
    path: `/logic/deployments/${id}`,
    headers: logicHeaders(world.scene),
    body,
  } as const;
  await asker.ask(kind, question, ({ label }) => label === '200');
}
