import { setTimeout as sleep } from 'node:timers/promises';
import { Asker, type Question, type Reply } from '../../bench/soak/asker.js';
import { redeploy } from '../../bench/soak/deployer.js';
import { draw, type KindName } from '../../bench/soak/mix.js';
import type { Random } from '../../bench/soak/random.js';
import type { Tally } from '../../bench/soak/tally.js';
import type { Weather } from '../../bench/soak/weather.js';
import type { World } from '../../bench/soak/world.js';
import type { ServerProcess } from '../../support/process.js';
import type { Messages } from './messages.js';

/** A request that the service could not serve. */
export interface Failure {
  readonly label: string;
  readonly answeredMs: number;
}

/** What clients were told, besides the executions, which the world's ledger keeps. */
export class Told {
  readonly failures: Failure[] = [];
  /** When anything was last answered well. */
  lastGoodMs = 0;
  /** Deployments by id; `either` where the answer to a removal did not come. */
  readonly deployments = new Map<string, 'there' | 'gone' | 'either'>();
}

/** Keeps what is needed to judge. */
class Witness extends Asker {
  readonly #told: Told;

  constructor(baseUrl: string, { tally, weather, told }: { tally: Tally; weather: Weather; told: Told }) {
    super(baseUrl, tally, weather);
    this.#told = told;
  }

  override async ask(kind: string, question: Question, expected: (reply: Reply) => boolean): Promise<Reply> {
    const reply = await super.ask(kind, question, expected);
    const { label, json, answeredMs } = reply;
    const failed = label === 'network' || label.startsWith('5') || label.startsWith('outside');
    if (failed) this.#told.failures.push({ label, answeredMs });
    else this.#told.lastGoodMs = answeredMs;
    if (kind === 'deployment') this.#noteDeployment(question, String(json.id), label, failed);
    return reply;
  }

  #noteDeployment({ method, path }: Question, id: string, label: string, failed: boolean): void {
    const { deployments } = this.#told;
    if (method === 'POST' && label === '201') deployments.set(id, 'there');
    if (method !== 'DELETE') return;
    const removed = path.slice(path.lastIndexOf('/') + 1);
    if (failed) deployments.set(removed, 'either');
    else if (label === '204') deployments.set(removed, 'gone');
  }
}

export interface LoadOptions {
  readonly servers: readonly ServerProcess[];
  readonly world: World;
  readonly messages: Messages;
  readonly tally: Tally;
  readonly weather: Weather;
  readonly told: Told;
  readonly random: Random;
}

const kinds: readonly KindName[] = ['execution', 'idempotent', 'batch'];
const loopsEach = 5;
const pauseMs = { run: 20, deployment: 250, message: 120 } as const;

/** Executions, batches and inquiries at each server, deployments at all in turn, until told to stop. */
export function startLoad(options: LoadOptions): { stop(): Promise<void> } {
  const { servers, world, messages, random } = options;
  let going = true;
  const loop = async (everyMs: number, work: () => Promise<void>): Promise<void> => {
    while (going) {
      await work();
      await sleep(everyMs);
    }
  };
  const askers: Asker[] = [];
  const newAsker = ({ baseUrl }: ServerProcess): Asker => {
    const asker = new Witness(baseUrl, options);
    askers.push(asker);
    return asker;
  };
  const running = servers.flatMap((server) => [
    ...Array.from({ length: loopsEach }, () => {
      const asker = newAsker(server);
      return loop(pauseMs.run, () => draw(kinds, random)(asker, world, random));
    }),
    (() => {
      const asker = newAsker(server);
      return loop(pauseMs.message, () => messages.send(asker));
    })(),
  ]);
  const deployers = servers.map(newAsker);
  let turn = 0;
  // One at a time, as what may be deleted follows from what was made before.
  running.push(loop(pauseMs.deployment, () => redeploy(deployers[turn++ % deployers.length]!, world, random)));
  return {
    async stop() {
      going = false;
      await Promise.all(running);
      for (const asker of askers) asker.close();
    },
  };
}
