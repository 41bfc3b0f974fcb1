import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { isPortFree } from '../../db/services/ports.js';

const password = 'cluster-secret';
const run = promisify(execFile);

export interface ClusterNode {
  readonly port: number;
  /** kill -9. */
  kill(): Promise<void>;
  /** After `kill`, with the same data and address. */
  restart(): Promise<void>;
}

/** A Redis Cluster of real servers on this machine. */
export interface RedisCluster {
  /** As `REDIS_URL` takes them. */
  readonly urls: string;
  readonly nodes: readonly ClusterNode[];
  /** What `redis-cli` prints for a command at a node. */
  ask(node: ClusterNode, ...command: readonly string[]): Promise<string>;
  end(): Promise<void>;
}

/** Three masters, each with `replicas` replicas. The masters are the first three nodes. */
export async function startCluster(replicas: number): Promise<RedisCluster> {
  const dir = mkdtempSync(join(tmpdir(), 'verdict-cluster-'));
  const nodes: (ClusterNode & { readonly start: () => Promise<void> })[] = [];
  for (const port of await freePorts(3 * (1 + replicas))) nodes.push(nodeAt(join(dir, String(port)), port));
  await Promise.all(nodes.map((node) => node.start()));

  const cli = async (port: number, ...command: readonly string[]): Promise<string> => {
    const options = { env: { ...process.env, REDISCLI_AUTH: password } };
    return (await run('redis-cli', ['-p', String(port), ...command], options)).stdout.trim();
  };
  const first = nodes[0]!.port;
  const addresses = nodes.map(({ port }) => `127.0.0.1:${port}`);
  await cli(first, '--cluster', 'create', ...addresses, '--cluster-replicas', String(replicas), '--cluster-yes');
  for (const { port } of nodes)
    while (!(await cli(port, 'cluster', 'info')).includes('cluster_state:ok')) await sleep(50);
  if (replicas > 0) while (!(await cli(first, 'cluster', 'nodes')).includes('slave')) await sleep(50);
  return {
    urls: nodes.map(({ port }) => `redis://:${password}@127.0.0.1:${port}`).join(','),
    nodes,
    ask: ({ port }, ...command) => cli(port, ...command),
    async end() {
      await Promise.all(nodes.map((node) => node.kill()));
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

function nodeAt(dir: string, port: number): ClusterNode & { readonly start: () => Promise<void> } {
  mkdirSync(dir);
  let server: ChildProcess | undefined;
  const start = async (): Promise<void> => {
    const settings = {
      port,
      bind: '127.0.0.1',
      dir,
      'cluster-enabled': 'yes',
      'cluster-node-timeout': 1000,
      // What a living node has stays in use while another is away.
      'cluster-require-full-coverage': 'no',
      'repl-diskless-sync-delay': 0,
      appendonly: 'no',
      save: '',
      requirepass: password,
      masterauth: password,
    };
    const words = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]);
    const started = spawn('redis-server', words, { stdio: ['ignore', 'pipe', 'ignore'] });
    server = started;
    for await (const line of started.stdout) if (String(line).includes('Ready to accept connections')) break;
    started.stdout.resume();
  };
  const kill = async (): Promise<void> => {
    if (server === undefined || server.exitCode !== null || server.signalCode !== null) return;
    const exit = once(server, 'exit');
    server.kill('SIGKILL');
    await exit;
  };
  return { port, start, kill, restart: start };
}

/** Each has its neighbour 10,000 above it free too, where the nodes speak with one another. */
async function freePorts(count: number): Promise<number[]> {
  const found: number[] = [];
  while (found.length < count) {
    const port = 15_000 + Math.floor(Math.random() * 10_000);
    if (!found.includes(port) && (await isPortFree(port)) && (await isPortFree(port + 10_000))) found.push(port);
  }
  return found;
}
