import { fork, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { projectRoot } from '../../../db/root.js';
import type { ServerProcess } from '../../support/process.js';
import { buildScene } from '../../support/scene.js';
import { decisionFact, deployDecision, type Executable } from '../decision.js';
import { serverProcesses, type Watched } from '../processes.js';
import type { Target } from './load.js';

/** What is sent to whom, given a fact. */
export type Targets = ReadonlyMap<string, (fact: object) => Target>;

/** By the name that results have. */
export const facts = { small: decisionFact, '50 KB': { ...decisionFact, lines: Array.from({ length: 500 }, line) } };

function line(_: unknown, index: number): object {
  return {
    sku: `SKU-${index}`,
    quantity: index % 7,
    price: index * 1.25,
    note: 'a line of an order, as long as one is',
  };
}

/** Our execution and our evaluation, of a decision made for it. @param watched what works for them beside the server */
export async function ownTargets(server: ServerProcess, watched: readonly Watched[]): Promise<Targets> {
  const scene = await buildScene(server);
  const deployed = await deployDecision(scene);
  // Every process must have heard of it.
  await scene.settled();
  return targetsOf(server, deployed, watched);
}

export function targetsOf(
  { baseUrl, pid }: ServerProcess,
  { path, decisionId, headers }: Executable,
  watched: readonly Watched[],
): Targets {
  const to =
    (at: string, more: object) =>
    (fact: object): Target => ({
      url: `${baseUrl}${at}`,
      headers,
      body: JSON.stringify({ ...more, fact }),
      watched: [...serverProcesses(pid), ...watched],
    });
  return new Map([
    ['execution', to(path, {})],
    ['evaluation (traced)', to(`/logic/decisions/${decisionId}/evaluations`, { version: 1 })],
  ]);
}

/** Servers to compare with, each in a process of its own. To be stopped. */
export interface Peers {
  /** What is sent to each, to have the model of that place. */
  targetsOf(model: number): Targets;
  stop(): void;
}

export type PeerName = 'koa' | 'fastify' | 'fastify-traced';

export async function startPeers(names: readonly PeerName[], modelPaths: readonly string[]): Promise<Peers> {
  const children: ChildProcess[] = [];
  const stop = (): void => children.forEach((child) => void child.kill('SIGTERM'));
  const peers: { readonly name: PeerName; readonly port: number; readonly pid: number }[] = [];
  for (const name of names) {
    const child = fork(join(import.meta.dirname, 'peers.js'), [name, ...modelPaths], {
      cwd: projectRoot,
      env: { PATH: process.env.PATH, RUST_BACKTRACE: '0' },
      execArgv: [],
    });
    children.push(child);
    const port = await portOf(child, name).catch((error: unknown) => {
      stop();
      throw error;
    });
    peers.push({ name, port, pid: child.pid ?? 0 });
  }
  const target =
    (port: number, pid: number, model: number) =>
    (fact: object): Target => ({
      url: `http://127.0.0.1:${port}/run/${model}`,
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ fact }),
      watched: [{ name: 'server', pid }],
    });
  return {
    targetsOf: (model) => new Map(peers.map(({ name, port, pid }) => [name, target(port, pid, model)])),
    stop,
  };
}

function portOf(child: ChildProcess, peer: string): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once('message', (message) => resolve((message as { port: number }).port));
    child.once('exit', (code) => reject(new Error(`the peer ${peer} ended with ${code}`)));
  });
}
