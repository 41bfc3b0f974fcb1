import { fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { bootApp, type TestApp } from '../support/app.js';
import { eventually } from '../support/eventually.js';
import { callerOf } from '../support/http.js';
import { rowsWith } from '../support/markers.js';
import { expressing } from '../support/models.js';
import { startServer } from '../support/process.js';
import { replayed } from '../support/replays.js';
import { buildScene, testDatabase, type Scene } from '../support/scene.js';
import { longTimeouts, testPace } from '../support/settings.js';
import { isLong } from '../support/environment.js';
import { bodyOf } from '../support/asserts.js';

const model = expressing({ name: 'name', sum: 'x + 1' });

/** Executes a decision with facts that hold a marker, and gives the ids. */
async function executed(
  { caller }: Pick<Scene, 'caller'>,
  { environmentId, decisionId }: { readonly environmentId: string; readonly decisionId: string },
  markers: readonly string[],
): Promise<string[]> {
  const path = `/logic/${environmentId}/decisions/${decisionId}/executions`;
  const ids: string[] = [];
  for (const [x, name] of markers.entries()) {
    const headers = { 'Idempotency-Key': randomUUID(), 'Execution-Reference': 'order-1' };
    ids.push((bodyOf(await caller.post(path, { fact: { x, name } }, headers), 201) as { id: string }).id);
  }
  return ids;
}

async function deployed(scene: Scene): Promise<{ readonly environmentId: string; readonly decisionId: string }> {
  const { decisionId, environmentId } = await scene.deployed('d.json', model);
  return { environmentId, decisionId };
}

/** What an erasure is promised to be done within. */
const minuteMs = 60_000;

describe('an erasure', () => {
  it('is whole or not begun, whichever statement its process was killed before, and goes on from there', async () => {
    const app: TestApp = await bootApp();
    const markers = Array.from({ length: 3 }, () => `Marker ${randomUUID()}`);
    const kept = `Marker ${randomUUID()}`;
    const scene = await buildScene(app);
    const pair = await deployed(scene);
    const measured = await scene.caller.put(`/logic/decisions/${pair.decisionId}/measured`, { pointers: ['/name'] });
    expect(measured.status).to.equal(200);
    await executed(scene, pair, markers);
    await scene.decision('d.json', expressing({ name: "name + '!'", sum: 'x + 1' }));
    await replayed(scene.caller, { ...pair, candidate: { version: 2 } });
    const told = [{ reference: 'order-1', name: 'fraud', value: markers[0]! }];
    expect((await scene.caller.put('/logic/outcomes', { outcomes: told })).status).to.equal(200);
    await eventually(async () => 'measures' in (await rowsWith(testDatabase(), markers[2]!)));
    const other = await scene.caller.post(`/logic/${pair.environmentId}/decisions/${pair.decisionId}/executions`, {
      fact: { x: 9, name: kept },
    });
    expect(other.status).to.equal(201);
    const erasure = await scene.caller.post('/logic/erasures', { reference: 'order-1' });
    expect(erasure.status).to.equal(202);
    await app.stop();

    const held = await Promise.all(markers.map((marker) => rowsWith(testDatabase(), marker)));
    expect(held[0]).to.include.all.keys('executions', 'replay_differences', 'measures', 'outcomes');
    const script = join(import.meta.dirname, '..', 'support', 'killed-erasures.js');
    const seen = new Set<string>();
    for (let statements = 0; ; statements += isLong ? 1 : 31) {
      const child = fork(script, [String(statements)]);
      const [code] = (await once(child, 'exit')) as [number | null];
      const now = await Promise.all(markers.map((marker) => rowsWith(testDatabase(), marker)));
      const records = now.map((tables) => 'executions' in tables);
      // What was told of the reference goes last.
      const elsewhere = now.map(({ outcomes: _, ...tables }) => tables);
      const before = held.map(({ outcomes: _, ...tables }) => tables);
      if (records.includes(true)) expect(elsewhere, `${statements}`).to.deep.equal(before);
      else expect(elsewhere, `${statements}`).to.deep.equal([{}, {}, {}]);
      seen.add(JSON.stringify(records));
      if (code === 0) break;
      expect(statements).to.be.below(200);
    }
    expect(seen.size).to.equal(2);
    for (const marker of markers) expect(await rowsWith(testDatabase(), marker)).to.deep.equal({});
    expect(await rowsWith(testDatabase(), kept)).to.include.all.keys('executions', 'measures');
  });

  it('is done within a minute though its process is killed; none keeps anything in memory or in files', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'erasures-'));
    const settings = { ...longTimeouts, TMPDIR: folder };
    const options = ['--heapsnapshot-signal=SIGUSR2', `--diagnostic-dir=${folder}`];
    let server = await startServer(settings, options);
    try {
      const scene = await buildScene(server);
      const pair = await deployed(scene);
      const markers = Array.from({ length: isLong ? 120 : 20 }, () => `Marker ${randomUUID()}`);
      const ids = await executed(scene, pair, markers);
      const erasure = await scene.caller.post('/logic/erasures', { reference: 'order-1' });
      const since = Date.now();
      expect(erasure.status).to.equal(202);
      await eventually(async () => 'executions' in (await rowsWith(testDatabase(), markers.at(-1)!)));
      for (const afterMs of [testPace.countedAfter + 500, ...(isLong ? [1000, 1000] : [])]) {
        await new Promise((resolve) => setTimeout(resolve, afterMs));
        await server.kill();
        server = await startServer(settings, options);
      }
      const caller = callerOf(server.baseUrl, scene.token, scene.workspaceId);
      await eventually(async () => {
        const { body } = await caller.get(`/logic/executions?size=100&order=desc&reference=order-1`);
        return (body as { data: { erased?: boolean }[] }).data.every(({ erased }) => erased === true);
      });
      expect(Date.now() - since).to.be.below(minuteMs);
      const late = await executed({ caller }, pair, [`Marker ${randomUUID()}`, ...markers.slice(0, 1)]);
      const again = await caller.post('/logic/erasures', { executionIds: [...ids.slice(0, 1), ...late] });
      expect(again.status).to.equal(202);
      await eventually(async () => (await rowsWith(testDatabase(), markers[0]!))['executions'] === undefined);
      expect(await rowsWith(testDatabase(), markers[0]!)).to.deep.equal({});
      process.kill(server.pid, 'SIGUSR2');
      const snapshot = await eventually(async () => {
        const [name] = (await readdir(folder)).filter((file) => file.endsWith('.heapsnapshot'));
        const text = name === undefined ? '' : await readFile(join(folder, name), 'utf8');
        return text.endsWith('}') && text;
      });
      expect(snapshot.includes('order-1') || snapshot.length > 1_000_000).to.equal(true);
      for (const marker of markers) {
        expect(snapshot.includes(marker)).to.equal(false);
        expect(server.log().includes(marker)).to.equal(false);
      }
      const files = (await readdir(folder, { recursive: true })).filter((file) => !file.endsWith('.heapsnapshot'));
      expect(files).to.deep.equal([]);
    } finally {
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    }
  });
});
