import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { createConnection } from 'node:net';
import { expect } from 'chai';
import type { PoolsStatus } from '../../src/admin/administered.js';
import { eventually } from '../support/eventually.js';
import { call } from '../support/http.js';
import type { ServerProcess } from '../support/process.js';
import { faultSeconds } from './table.js';

const kills = faultSeconds > 0 ? 8 : 1;
const loops = faultSeconds > 0 ? 32 : 12;
const request = 'GET /nowhere HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';

/** A state of /proc/net/tcp. */
const listening = '0A';

function openFiles(pid: number): string[] {
  return readdirSync(`/proc/${pid}/fd`).map((descriptor) => {
    try {
      return readlinkSync(`/proc/${pid}/fd/${descriptor}`);
    } catch {
      // Closed since.
      return '';
    }
  });
}

/** Connections that come and go, each with one request. */
interface Churn {
  readonly answered: number;
  /** Those that have not ended yet. */
  readonly open: number;
  stop(): void;
}

function startChurn(port: number): Churn {
  const open = new Set<object>();
  let answered = 0;
  let going = true;
  const next = (): void => {
    if (!going) return;
    const socket = createConnection(port, '127.0.0.1', () => socket.write(request)).setEncoding('latin1');
    open.add(socket);
    socket.once('data', () => answered++);
    socket.on('error', () => undefined);
    socket.once('close', () => {
      open.delete(socket);
      setTimeout(next, 10);
    });
  };
  for (let loop = 0; loop < loops; loop++) next();
  return {
    get answered() {
      return answered;
    },
    get open() {
      return open.size;
    },
    stop: () => void (going = false),
  };
}

/** What holds of the processes of a server, which is not to be used up by it. */
export function describeChurn(find: () => ServerProcess): void {
  let server: ServerProcess;
  let port: number;
  before(function () {
    // What a process holds is read from /proc.
    if (process.platform !== 'linux') this.skip();
    server = find();
    port = Number(new URL(server.baseUrl).port);
  });

  const serving = async (): Promise<number[]> =>
    ((await call(`${server.adminUrl}/pool`)).body as PoolsStatus).processes.map(({ pid }) => pid);
  /** Accepted connections of the server's port that the primary holds. */
  const heldByPrimary = (): number => {
    const table = readFileSync(`/proc/${server.pid}/net/tcp`, 'latin1').split('\n').slice(1);
    const hexPort = port.toString(16).toUpperCase().padStart(4, '0');
    const accepted = new Set(
      table
        .map((line) => line.trim().split(/\s+/))
        .filter(([, local, , state]) => local?.endsWith(`:${hexPort}`) && state !== listening)
        .map((columns) => `socket:[${columns[9]}]`),
    );
    return openFiles(server.pid).filter((file) => accepted.has(file)).length;
  };

  it('leave no connection without an answer or an end, and none open in their primary', async () => {
    const churn = startChurn(port);
    for (let kill = 0; kill < kills; kill++) {
      const [victim = 0] = (await serving()).sort(() => Math.random() - 0.5);
      const { answered } = churn;
      process.kill(victim, 'SIGKILL');
      await eventually(async () => {
        const pids = await serving();
        return pids.length === 2 && !pids.includes(victim);
      });
      await eventually(() => churn.answered > answered + loops);
    }
    churn.stop();
    await eventually(() => churn.open === 0);
    await eventually(() => heldByPrimary() === 0);
    expect({ open: churn.open, held: heldByPrimary() }).to.deep.equal({ open: 0, held: 0 });
  });
}
