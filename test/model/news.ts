import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { commandOf, nth, someIndex, someServer, type Command } from './command.js';
import { deploy } from './deployments.js';
import { promisedMs, type Server } from './history.js';
import type { Model } from './model.js';
import { execute } from './runs.js';
import type { System } from './system.js';

interface News {
  readonly server: Server;
  readonly environment: number;
  readonly decision: number;
}

/** The other process knows the old routing; a second after the change it must know the new one, whatever Redis does. */
async function follow(model: Model, system: System, { server, environment, decision }: News): Promise<void> {
  const pair = { environment: indexOfAlive(model, environment), decision };
  const other = server === 0 ? 1 : 0;
  await deploy(model, system, { ...pair, server, version: 1 });
  await execute(model, system, { ...pair, server: other });
  await sleep(promisedMs / 2);
  await execute(model, system, { ...pair, server: other });
  await deploy(model, system, { ...pair, server, version: 1 });
  await execute(model, system, { ...pair, server });
  await sleep(promisedMs);
  await execute(model, system, { ...pair, server: other });
}

const alive = ({ environments }: Readonly<Model>): string[] =>
  [...environments.values()].filter((one) => one.alive).map(({ id }) => id);

const indexOfAlive = (model: Model, index: number): number =>
  [...model.environments.keys()].indexOf(nth(alive(model), index));

const someNews = fc.record({ server: someServer, environment: someIndex, decision: fc.nat(1) });

export const newsCommands: fc.Arbitrary<Command>[] = [
  commandOf('deploy at one, look at the other', someNews, follow, (model) => alive(model).length > 0),
];
