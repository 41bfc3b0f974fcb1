import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { createConnection, type Socket } from 'node:net';
import { expect } from 'chai';
import type { PoolsStatus } from '../../src/admin/administered.js';
import { eventually } from '../support/eventually.js';
import { call } from '../support/http.js';
import type { ServerProcess } from '../support/process.js';

/** From now on the process gets no descriptor: the limit is the lowest number that is free. */
function useUpDescriptors(pid: number): void {
  const open = new Set(readdirSync(`/proc/${pid}/fd`).map(Number));
  let free = 0;
  while (open.has(free)) free++;
  execFileSync('prlimit', ['--pid', String(pid), `--nofile=${free}:`]);
}

const form = 'grant_type=client_credentials';
const request = [
  'POST /core/oauth2/token HTTP/1.1',
  'Host: x',
  'Content-Type: application/x-www-form-urlencoded',
  `Content-Length: ${form.length}`,
  'Expect: 100-continue',
  '\r\n',
].join('\r\n');

/** What the processes of a server come to whose descriptors are used up; they are replaced. */
export function describeDescriptors(find: () => ServerProcess): void {
  let server: ServerProcess;
  let pids: readonly number[];
  let underWay: Socket[];
  let restartsBefore: number;

  const connect = async (): Promise<Socket> => {
    const socket = createConnection(Number(new URL(server.baseUrl).port), '127.0.0.1').setEncoding('latin1');
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    return socket;
  };
  /** On a connection of its own; resolves when the server waits for its body. */
  const begin = async (): Promise<Socket> => {
    const socket = await connect();
    socket.write(request);
    expect(String(await once(socket, 'data'))).to.match(/^HTTP\/1.1 100 /);
    return socket;
  };
  const present = async (): Promise<readonly number[]> =>
    ((await call(`${server.adminUrl}/pool`)).body as PoolsStatus).processes.map(({ pid }) => pid).sort();
  const metric = async (name: string): Promise<number> => {
    const { text } = await call(`${server.adminUrl}/metrics`);
    return Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1]);
  };
  const restarts = (): Promise<number> => metric('verdict_process_restarts_total');

  before(async function () {
    // How a running process is given another limit is Linux's own.
    if (process.platform !== 'linux') this.skip();
    server = find();
    restartsBefore = await restarts();
    pids = await present();
    // As many for each: they take turns.
    underWay = [await begin(), await begin()];
    pids.forEach(useUpDescriptors);
  });

  it('answer their primary, and go on', async () => {
    expect(await present()).to.deep.equal(pids);
    expect(await metric('process_resident_memory_bytes')).to.be.greaterThan(1e7);
    expect(await metric('verdict_heap_used_bytes')).to.be.greaterThan(1e6);
    expect(await restarts()).to.equal(restartsBefore);
  });

  it('end new connections at once, answer those that they have, and are replaced', async () => {
    // A descriptor that a process has closed since then is taken by the first connection. Once both are drained, none listens.
    const connected: Socket[] = [];
    const said = (): number => server.log().match(/no descriptor left/g)?.length ?? 0;
    await eventually(async () => {
      await connect().then(
        (socket) => connected.push(socket),
        () => undefined,
      );
      return said() >= 2;
    });
    expect(said()).to.equal(2);
    await eventually(() => connected.filter(({ closed }) => closed).length >= 2);
    for (const socket of connected) socket.destroy();
    for (const socket of underWay) {
      socket.write(form);
      expect(String(await once(socket, 'data'))).to.match(/^HTTP\/1.1 401 /);
    }
    await eventually(async () => (await restarts()) === restartsBefore + 2);
    await eventually(async () => (await present()).length === 2);
    expect(await present()).to.not.include.members([...pids]);
    expect((await call(`${server.baseUrl}/nowhere`)).status).to.equal(404);
  });
}
