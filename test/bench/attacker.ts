import { fork } from 'node:child_process';
import { once } from 'node:events';
import { constants, setPriority } from 'node:os';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'undici';
import { buildScene } from '../support/scene.js';
import { attacks, type Attack, type AttackKind, type Request } from './attacks.js';

/** A process that floods a server. */
export interface Attacker {
  begin(): void;
  /** Resolves with the answers that it got since it began, by status and code, when the last one is there. */
  pause(): Promise<Readonly<Record<string, number>>>;
  end(): void;
}

export interface AttackerOptions {
  readonly kind: AttackKind;
  /** Workspaces that attack, each of another tenant. */
  readonly tenants: number;
  readonly baseUrl: string;
  readonly connections: number;
}

/** The argument that makes this module the process of an attacker. */
const role = '--attacker';
/** Who reads nothing has new connections after that. */
const unreadMs = 2000;
/** An import takes long, and then its sender waits for it. */
const longestMs = 120_000;
/** Characters. Longer answers are results; problems are short. */
const longestProblem = 10_000;

/**
 * Starts an attacker, with models of its own deployed. A process of its own, and behind all others of this machine: attackers
 * have machines of their own, and what making and reading megabytes costs is nothing that the server did to anybody.
 */
export async function startAttacker(options: AttackerOptions): Promise<Attacker> {
  const child = fork(import.meta.filename, [role, JSON.stringify(options)]);
  const exited = once(child, 'exit').then(() => Promise.reject(new Error('the attacker ended')));
  exited.catch(() => undefined);
  const told = async (): Promise<unknown> => (await Promise.race([once(child, 'message'), exited]))[0];
  await told();
  if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW);
  return {
    begin: () => void child.send('begin'),
    async pause() {
      const answers = told();
      child.send('pause');
      return (await answers) as Record<string, number>;
    },
    end: () => void child.kill(),
  };
}

if (process.argv[2] === role) await attack(JSON.parse(process.argv[3] ?? '') as AttackerOptions);

async function attack({ kind, tenants, baseUrl, connections }: AttackerOptions): Promise<void> {
  const scenes = await Promise.all(Array.from({ length: tenants }, () => buildScene({ baseUrl })));
  const all = (await Promise.all(scenes.map((scene) => attacks[kind](scene, baseUrl)))).flat();
  await scenes[0]?.settled();
  let flood: ReturnType<typeof startFlood> | undefined;
  process.on('message', (order) => {
    if (order === 'begin') flood = startFlood(baseUrl, all, connections);
    else void flood?.stop().then((answers) => process.send?.(answers));
  });
  process.on('disconnect', () => process.exit());
  process.send?.('ready');
}

/** Each connection sends one bad request after the other, at once and whatever comes back. */
function startFlood(
  baseUrl: string,
  all: readonly Attack[],
  connections: number,
): { stop(): Promise<Record<string, number>> } {
  const state = { going: true };
  const answers: Record<string, number> = {};
  const count = (label: string): void => void (answers[label] = (answers[label] ?? 0) + 1);
  const open = (): Client => new Client(baseUrl, { headersTimeout: longestMs, bodyTimeout: longestMs });
  const unfinished = new Set<Client>();
  const ask = async ({ request, turns = Infinity, isUnfinished = false }: Attack): Promise<void> => {
    const client = open();
    if (isUnfinished) unfinished.add(client);
    for (let turn = 0; turn < turns && (state.going || turns < Infinity); turn++) {
      const answer = await client.request(isUnfinished ? withoutEnd(request(turn)) : request(turn)).then(
        async ({ statusCode, body }) => `${statusCode} ${codeOf(await body.text())}`,
        () => 'network',
      );
      count(answer);
    }
    await client.destroy();
  };
  const leaveUnread = async ({ request, unread = 0 }: Attack): Promise<void> => {
    for (let turn = 0; state.going; turn++) {
      const clients = Array.from({ length: unread }, open);
      for (const client of clients)
        client.request(request(turn)).then(
          ({ statusCode, body }) => {
            body.on('error', () => undefined);
            count(`${statusCode} unread`);
          },
          () => undefined,
        );
      await sleep(unreadMs);
      await Promise.all(clients.map((client) => client.destroy()));
    }
  };
  const running = Array.from({ length: Math.max(connections, all.length) }, (_, index) => {
    const one = all[index % all.length];
    if (one === undefined) return Promise.resolve();
    return one.unread === undefined ? ask(one) : leaveUnread(one);
  });
  return {
    async stop() {
      state.going = false;
      for (const client of unfinished) await client.destroy();
      await Promise.all(running);
      return answers;
    },
  };
}

/** The same request with a body whose last byte does not come. */
function withoutEnd({ body = '', headers, ...rest }: Request): Omit<Request, 'body'> & { readonly body: Readable } {
  const bytes = Buffer.from(body);
  const stream = new Readable({ read: () => undefined });
  stream.on('error', () => undefined);
  stream.push(bytes.subarray(0, -1));
  return { ...rest, headers: { ...headers, 'Content-Length': String(bytes.length) }, body: stream };
}

const codeOf = (body: string): string => (body.length > longestProblem ? '' : (/"code":"(\w+)"/.exec(body)?.[1] ?? ''));
