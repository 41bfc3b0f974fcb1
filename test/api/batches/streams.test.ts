import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { idToBytes } from '../../../src/storage/ids.js';
import { poolOf, useApp } from '../../support/app.js';
import { uuidV7 } from '../../support/asserts.js';
import { eventually } from '../../support/eventually.js';
import { call } from '../../support/http.js';
import { LineStream } from '../../support/lineStream.js';
import { doubling, scripting, type Model } from '../../support/models.js';
import { logicHeaders, testDatabase, type Place, useScene } from '../../support/scene.js';
import { recordedRows } from '../../support/records.js';

interface Answer {
  readonly index: number;
  readonly id: string;
  readonly performance: string;
  readonly result: { readonly y: number };
}

describe('batches as a stream of lines', () => {
  const app = useApp({ MAX_BODY_BYTES: '65536', POOL_MIN_THREADS: '2', POOL_MAX_THREADS: '2' });
  const scene = useScene(app);
  let environmentId: string;
  before(async () => {
    environmentId = await scene.environment();
  });

  const deployed = async (key: string, model: Model): Promise<Place> => {
    const place = await scene.deployed(key, model, environmentId);
    return { ...place, path: `/logic/${environmentId}/decisions/${place.decisionId}/batches` };
  };
  const open = (path: string, headers: Readonly<Record<string, string>> = {}): LineStream =>
    new LineStream(`${app.baseUrl}${path}`, { ...logicHeaders(scene), ...headers });
  const recorded = async (deploymentId: string): Promise<number> => {
    const rows = (await recordedRows(testDatabase())
      .select('id')
      .where({ deployment_id: idToBytes(deploymentId) })) as object[];
    return rows.length;
  };

  it('a line is answered while the next one is not sent yet, and the last line is the summary', async () => {
    const { path, deploymentId } = await deployed('lines.json', doubling(2));
    const stream = open(path);
    expect(await stream.head()).to.deep.include({ status: 200 });
    expect((await stream.head()).headers).to.include({ 'content-type': 'application/x-ndjson' });
    for (const x of [0, 1, 2]) {
      await stream.send({ fact: { x }, key: `k${x}`, reference: `lines-${x}` });
      const line = (await stream.next()) as Answer;
      expect(line.id).to.match(uuidV7);
      expect(line).to.deep.equal({
        index: x,
        key: `k${x}`,
        id: line.id,
        status: 'COMPLETED',
        result: { y: 2 * x },
        performance: line.performance,
      });
      const record = await scene.caller.get(`/logic/executions/${line.id}`);
      expect(record.body).to.deep.include({ status: 'COMPLETED', deploymentId, reference: `lines-${x}`, fact: { x } });
    }
    stream.end();
    expect(await stream.rest()).to.deep.equal([{ summary: { deploymentId, version: 1, completed: 3, failed: 0 } }]);
  });

  it('a line that is no item is answered as such, and the others go on', async () => {
    const { path, deploymentId } = await deployed('bad lines.json', doubling(2));
    const stream = open(path);
    const bad = [
      'nonsense',
      '',
      '[]',
      '{"fact":1}',
      '{"fact":{"a":"\\u0000"}}',
      `{"fact":{"a":"${'x'.repeat(65_536)}"}}`,
    ];
    await stream.send({ fact: { x: 1 } }, ...bad);
    await stream.write(Buffer.from([0x7b, 0xff, 0x7d, 0x0a]));
    // The last line needs no line feed.
    await stream.write('{"fact":{"x":8},"key":"last"}');
    stream.end();
    const lines = (await stream.rest()) as (Answer & { errors?: { pointer: string; message: string }[] })[];
    const summary = lines.pop();
    expect(summary).to.deep.equal({ summary: { deploymentId, version: 1, completed: 2, failed: 7 } });
    expect(lines.map(({ index }) => index)).to.deep.equal([0, 1, 2, 3, 4, 5, 6, 7, 8]);
    expect(lines[0]?.result).to.deep.equal({ y: 2 });
    expect(lines[8]).to.deep.include({ key: 'last', result: { y: 16 } });
    for (const line of lines.slice(1, 8)) {
      const { index, errors } = line;
      expect(line).to.deep.equal({
        index,
        key: null,
        id: null,
        status: 'FAILED',
        result: { error: 'The item breaks its schema.' },
        performance: null,
        code: 'validation_failed',
        errors,
      });
    }
    expect(
      lines.slice(2, 8).map(({ errors }) => errors?.map(({ pointer, message }) => [pointer, message])),
    ).to.deep.equal([
      [['', 'The body is empty; a JSON object was expected.']],
      [['', 'must be object']],
      [['/fact', 'must be object']],
      [['/fact/a', 'must not contain the NUL character']],
      [['', 'must have at most 65536 bytes']],
      [['', 'The body is not valid UTF-8.']],
    ]);
    expect(await recorded(deploymentId)).to.equal(2);
  });

  it('a stream without a line has a summary, and a compressed one is read', async () => {
    const { path, deploymentId } = await deployed('compressed.json', doubling(3));
    const headers = { ...logicHeaders(scene), 'Content-Type': 'application/x-ndjson' };
    const empty = await call(`${app.baseUrl}${path}`, { method: 'POST', headers, body: '' });
    expect(empty.text).to.equal(
      `{"summary":{"deploymentId":"${deploymentId}","version":1,"completed":0,"failed":0}}\n`,
    );
    const lines = Array.from({ length: 500 }, (_, x) => `{"fact":{"x":${x}}}\n`).join('');
    const answer = await call(`${app.baseUrl}${path}`, {
      method: 'POST',
      headers: { ...headers, 'Content-Encoding': 'gzip' },
      body: gzipSync(lines),
    });
    const answers = answer.text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Answer);
    expect(answers.slice(0, -1).map(({ result }) => result.y)).to.deep.equal(
      Array.from({ length: 500 }, (_, x) => 3 * x),
    );
    expect(await recorded(deploymentId)).to.equal(500);
  });

  it('what is absent, and a bad header, is a problem before the first line', async () => {
    const stream = open(`/logic/${environmentId}/decisions/${randomUUID()}/batches`);
    expect(await stream.head()).to.deep.include({ status: 404 });
    stream.cut();
    const { path } = await deployed('bad key.json', doubling(2));
    const keyed = open(path, { 'Idempotency-Key': 'x'.repeat(300) });
    expect(await keyed.head()).to.deep.include({ status: 400 });
    keyed.cut();
  });

  it('who reads nothing is read from no more', async () => {
    const { path, deploymentId } = await deployed('unread.json', scripting('return { y: "x".repeat(20000) };'));
    const stream = open(path);
    await stream.head();
    // A system's own buffers take some megabytes of them before the connection takes no more.
    const lines = `${JSON.stringify({ fact: { note: 'x'.repeat(500) } })}\n`.repeat(100);
    let sent = 0;
    let ran = 0;
    // Until the connection takes no more for a while, and what had begun by then has ended: both can take long on a busy machine.
    for (let stuck = false; !stuck && sent < 200_000; sent += 100) {
      const written = stream.write(lines).then(() => true);
      for (;;) {
        if (await Promise.race([written, sleep(3000).then(() => false)])) break;
        const before = ran;
        ran = await recorded(deploymentId);
        stuck = ran > 0 && ran === before;
        if (stuck) break;
      }
    }
    await sleep(500);
    expect(await recorded(deploymentId)).to.be.within(ran, ran + 100);
    expect(ran).to.be.below(sent);
    stream.cut();
  });

  it('a connection that is cut leaves nothing running, and what was answered is recorded', async () => {
    const { path, deploymentId } = await deployed('cut.json', doubling(2));
    const stream = open(path);
    await stream.send(...Array.from({ length: 5000 }, (_, x) => ({ fact: { x } })));
    const answers: Answer[] = [];
    for (let count = 0; count < 100; count++) answers.push((await stream.next()) as Answer);
    stream.cut();
    await eventually(async () => {
      const { busy, waiting } = await poolOf(app);
      return busy + waiting === 0;
    });
    // What had begun is recorded before it is let go of. Shadows that other tests left are held while they are served.
    await eventually(async () => {
      await testDatabase()('shadows').whereNull('ended_at').update({ ended_at: new Date() });
      return (await poolOf(app)).bytesInFlight === 0;
    });
    const after = await recorded(deploymentId);
    await sleep(200);
    expect(await recorded(deploymentId)).to.equal(after);
    const ids = (await testDatabase()('executions')
      .select('id')
      .whereIn(
        'id',
        answers.map(({ id }) => idToBytes(id)),
      )) as object[];
    expect(ids).to.have.length(100);
  });
});
