import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { expect } from 'chai';
import { useOwnApp } from '../support/app.js';
import { eventually } from '../support/eventually.js';
import { call } from '../support/http.js';
import { doubling } from '../support/models.js';
import { connect } from '../support/raw.js';
import { buildScene, logicHeaders, useScene, type Scene } from '../support/scene.js';

const mebibyte = 1024 * 1024;
/** What an unfinished body announces; a text takes two bytes for each of its characters. */
const bytes = 950_000;
/**
 * So many of them find room: a tenant that is alone may hold nearly half of what is shared, and its guarantee; a sixteenth of all is
 * left to its small requests.
 */
const roomFor = 5;
/** What a connection gives before its request is looked at. */
const firstRead = 128 * 1024;

/** A decision that is deployed in a workspace. */
interface Place {
  readonly scene: Scene;
  readonly path: string;
}

describe('large bodies from many workspaces of one tenant', () => {
  const app = useOwnApp({ MAX_BYTES_IN_FLIGHT: String(32 * mebibyte), POOL_MAX_WAIT_MS: '120000' });
  const neighbour = useScene(app);
  let opened: Socket[];
  /** The server's side of each connection. */
  let served: Socket[];
  const noted = (message: unknown): void => void served.push((message as { socket: Socket }).socket);
  beforeEach(() => {
    opened = [];
    served = [];
    subscribe('net.server.socket', noted);
  });
  afterEach(async () => {
    unsubscribe('net.server.socket', noted);
    for (const socket of opened) socket.destroy();
    await eventually(async () => (await held()) === 0);
  });

  const held = async (): Promise<number> =>
    ((await call(`${app.adminUrl}/pool`)).body as { bytesInFlight: number }).bytesInFlight;

  async function deployIn(scene: Scene): Promise<Place> {
    const { decisionId, environmentId } = await scene.deployed('one.json', doubling(2));
    const place = { scene, path: `/logic/${environmentId}/decisions/${decisionId}/executions` };
    await execute(place);
    return place;
  }

  async function execute({ scene, path }: Place, fact: object = {}): Promise<void> {
    const { status, text } = await scene.caller.post(path, { fact: { x: 2, ...fact } });
    expect(status, text.slice(0, 300)).to.equal(201);
  }

  /** A body whose last byte does not come. */
  async function sendUnfinished({ scene, path }: Place): Promise<Socket> {
    const socket = await connect(Number(new URL(app.baseUrl).port));
    opened.push(socket);
    socket.on('error', () => undefined);
    socket.resume();
    const headers = { Host: 'x', 'Content-Type': 'application/json', ...logicHeaders(scene), 'Content-Length': bytes };
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.write(`POST ${path} HTTP/1.1\r\n${lines.join('')}\r\n` + '{"fact":{"t":"'.padEnd(bytes - 1, 'x'));
    return socket;
  }

  for (const workspaces of [1, 12]) {
    it(`are read as far as there is room; the others wait unread, and nobody else for them: from ${workspaces}`, () =>
      requireRead(workspaces));
  }
  async function requireRead(workspaces: number): Promise<void> {
    const { tenantId } = await buildScene(app);
    const places: Place[] = [];
    for (let count = 0; count < workspaces; count++) places.push(await deployIn(await buildScene(app, { tenantId })));
    const beside = await deployIn(neighbour);
    served = [];
    for (let count = 0; count < 60; count++) await sendUnfinished(places[count % places.length]!);
    const attacking = [...served];
    expect(attacking).to.have.length(60);
    const isAnswered = ({ bytesWritten }: Socket): boolean => bytesWritten > 0;
    const reserved = roomFor * 2 * bytes + attacking.length * 8192;
    await eventually(async () => attacking.some(isAnswered) || (await held()) >= reserved);
    for (let count = 0; count < 20; count++) await execute(beside);
    await execute(beside, { t: 'x'.repeat(mebibyte / 2) });
    // Refused for want of room, they would come again at once, and again.
    for (const place of places) await execute(place);
    expect(attacking.filter(isAnswered), 'refused, who come again').to.have.length(0);
    expect(attacking.filter(({ bytesRead }) => bytesRead > firstRead)).to.have.length.at.most(roomFor);
  }

  it('have the room that others of their tenant give back', async () => {
    const { tenantId } = await buildScene(app);
    const places = [
      await deployIn(await buildScene(app, { tenantId })),
      await deployIn(await buildScene(app, { tenantId })),
    ];
    const before = await held();
    const unfinished: Socket[] = [];
    for (let count = 0; count < roomFor; count++) unfinished.push(await sendUnfinished(places[0]!));
    const full = before + roomFor * (2 * bytes + 8192);
    await eventually(async () => (await held()) === full);
    let answered = false;
    const waiting = execute(places[1]!, { t: 'x'.repeat(bytes) }).finally(() => (answered = true));
    await eventually(async () => answered || (await held()) > full);
    expect(answered, 'it waits').to.equal(false);
    unfinished[0]!.destroy();
    await waiting;
  });
});
