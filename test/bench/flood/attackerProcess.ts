import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { buildScene } from '../../support/scene.js';
import { Connection } from '../connection.js';
import type { AttackerOptions } from './attacker.js';
import { attacksOnMemory, attacksOnThreads, type Attack } from './attacks.js';
import { imports } from './imports.js';

// The process that attacker.ts starts, with its options as JSON.

const { kind, tenants, baseUrl, connections } = JSON.parse(process.argv[2] ?? '') as AttackerOptions;
/** Who reads nothing has a new connection after that. */
const unreadMs = 2000;
/** An import takes long, and then its sender waits for it. */
const longestMs = 120_000;
/** Characters. Longer answers are results; problems are short. */
const longestProblem = 10_000;

const kinds = { threads: attacksOnThreads, memory: attacksOnMemory, imports };
const attacks = await attacksOf(kinds[kind]);
let flood: ReturnType<typeof startFlood> | undefined;
process.on('message', (order) => {
  if (order === 'begin') flood = startFlood();
  else void flood?.stop().then((answers) => process.send?.(answers));
});
process.on('disconnect', () => process.exit());
process.send?.('ready');

async function attacksOf(make: typeof attacksOnMemory): Promise<Attack[]> {
  const scenes = await Promise.all(Array.from({ length: tenants }, () => buildScene({ baseUrl })));
  const all = (await Promise.all(scenes.map((scene) => make(scene, baseUrl)))).flat();
  await scenes[0]?.settled();
  return all;
}

/** Each connection sends one bad request after the other, at once and whatever comes back. */
function startFlood(): { stop(): Promise<Record<string, number>> } {
  const state = { going: true };
  const answers: Record<string, number> = {};
  const count = (label: string): void => void (answers[label] = (answers[label] ?? 0) + 1);
  const ask = async ({ request }: Attack): Promise<void> => {
    const connection = new Connection(baseUrl, longestMs);
    for (let turn = 0; state.going; turn++) {
      const answer = await connection.send(request(turn));
      count(answer === undefined ? 'network' : `${answer.status} ${codeOf(answer.body)}`);
    }
    connection.close();
  };
  const leaveUnread = async ({ request }: Attack): Promise<void> => {
    const { hostname, port } = new URL(baseUrl);
    for (let turn = 0; state.going; turn++) {
      const sockets = Array.from({ length: 10 }, () => connect(Number(port), hostname));
      for (const socket of sockets)
        socket
          .on('error', () => undefined)
          .pause()
          .write(request(turn));
      await sleep(unreadMs);
      for (const socket of sockets) socket.destroy();
      count('unread');
    }
  };
  const running = Array.from({ length: Math.max(connections, attacks.length) }, (_, index) => {
    const attack = attacks[index % attacks.length];
    if (attack === undefined) return Promise.resolve();
    return attack.reads ? ask(attack) : leaveUnread(attack);
  });
  return {
    async stop() {
      state.going = false;
      await Promise.all(running);
      return answers;
    },
  };
}

function codeOf(body: string): string {
  if (body.length > longestProblem) return '';
  const { code = '' } = JSON.parse(body || '{}') as { code?: string };
  return code;
}
