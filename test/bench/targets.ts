import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { projectRoot } from '../../db/root.js';
import type { ServerProcess } from '../support/process.js';
import { buildScene, type Scene } from '../support/scene.js';
import type { Bed } from './bed.js';
import { decisionFact, deployDecision, subject, targetOf, type Subject } from './decision.js';
import type { Target } from './load.js';
import { serverProcesses, type Watched } from './processes.js';

/** What of a decision's own fact is sent. */
export type Shape = (fact: object) => object;

/** What is sent to whom. */
export type Targets = ReadonlyMap<string, (shape: Shape) => Target>;

const lines = Array.from({ length: 500 }, (_, index) => ({
  sku: `SKU-${index}`,
  quantity: index % 7,
  price: index * 1.25,
  note: 'a line of an order, as long as one is',
}));

/** By the name that results have. */
export const facts = {
  small: (fact) => fact,
  '50 KB': (fact) => ({ ...fact, lines }),
} satisfies Record<string, Shape>;

/** Our execution and our evaluation, of a decision made for it. @param watched what works for them beside the server */
export async function ownTargets(
  server: ServerProcess,
  watched: readonly Watched[],
  { sceneOf = buildScene, of = subject }: { sceneOf?: (server: ServerProcess) => Promise<Scene>; of?: Subject } = {},
): Promise<Targets> {
  const scene = await sceneOf(server);
  const deployed = await deployDecision(scene, of);
  // Every process must have heard of it.
  await scene.settled();
  const to =
    (path: string, more: object) =>
    (shape: Shape): Target => {
      const body = JSON.stringify({ ...more, fact: shape(deployed.fact) });
      return targetOf(server, { ...deployed, path, body }, [...processes, ...watched]);
    };
  const all = serverProcesses(server.pid);
  const processes = all.length > 1 ? all : [...all, { name: 'main', pid: server.pid, isMain: true } as const];
  return new Map([
    ['execution', to(deployed.path, {})],
    ['evaluation (traced)', to(`/logic/decisions/${deployed.decisionId}/evaluations`, { version: 1 })],
  ]);
}

/** `fastify-recorded` keeps what we promise of an execution, but for isolation. */
export type PeerName = 'koa' | 'fastify' | 'fastify-traced' | 'fastify-recorded';

/** What a peer says of itself once it listens. */
interface Ready {
  readonly port: number;
  readonly token?: string;
}

interface Peer extends Ready {
  readonly name: PeerName;
  readonly pid: number;
}

/** Starts servers to compare with, each in a process of its own. */
export async function startPeers(
  { ends, databaseUrl, watched }: Pick<Bed, 'ends' | 'watched'> & { readonly databaseUrl: string },
  names: readonly PeerName[],
  modelPath: string,
): Promise<Targets> {
  const peers: Peer[] = [];
  for (const name of names) {
    const child = fork(join(import.meta.dirname, 'peers.js'), [name, modelPath], {
      cwd: projectRoot,
      env: { PATH: process.env.PATH, RUST_BACKTRACE: '0', DATABASE_URL: databaseUrl },
      execArgv: [],
    });
    ends(() => void child.kill('SIGTERM'));
    const exited = once(child, 'exit').then(([code]) =>
      Promise.reject(new Error(`the peer ${name} ended with ${code}`)),
    );
    exited.catch(() => undefined);
    const [{ port, token }] = (await Promise.race([once(child, 'message'), exited])) as [Ready];
    peers.push({ name, port, pid: child.pid ?? 0, ...(token === undefined ? {} : { token }) });
  }
  const target =
    ({ port, pid, token }: Peer) =>
    (shape: Shape): Target => ({
      url: `http://127.0.0.1:${port}/run`,
      headers: {
        'Content-Type': 'application/json',
        ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify({ fact: shape(decisionFact) }),
      watched: [{ name: 'server', pid }, ...(token === undefined ? [] : watched)],
    });
  return new Map(peers.map((peer) => [peer.name, target(peer)]));
}
