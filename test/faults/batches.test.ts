import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { idToBytes } from '../../src/storage/ids.js';
import { LineStream } from '../support/lineStream.js';
import { doubling } from '../support/models.js';
import { bootApp, type TestApp } from '../support/app.js';
import { isLong } from '../support/environment.js';
import { startServer, type ServerProcess } from '../support/process.js';
import { buildScene, logicHeaders, testDatabase, type Scene } from '../support/scene.js';
import { recordedRows } from '../support/records.js';
import { longTimeouts } from '../support/settings.js';

interface Answer {
  readonly id?: string;
  readonly result?: { readonly y: number };
  readonly summary?: { readonly completed: number; readonly failed: number };
}

describe('a stream of lines when the server dies', () => {
  let first: ServerProcess;
  let second: TestApp | undefined;
  before(async () => {
    first = await startServer(longTimeouts);
  });
  after(async () => {
    await first.kill();
    await second?.stop();
  });

  const count = isLong ? 6000 : 800;
  const enoughOfFirst = count / 5;
  const lines = Array.from({ length: count }, (_, x) => ({ fact: { x }, key: `item-${x}` }));

  /** Answers until the end, or until `enough` of them have come. */
  async function send(
    { baseUrl }: Pick<ServerProcess, 'baseUrl'>,
    scene: Scene,
    path: string,
    { from, key, enough = Infinity }: { from: number; key: string; enough?: number },
  ): Promise<Answer[]> {
    const stream = new LineStream(`${baseUrl}${path}`, { ...logicHeaders(scene), 'Idempotency-Key': key });
    const sending = (async () => {
      for (let at = from; at < count; at += 100) await stream.send(...lines.slice(at, at + 100));
      stream.end();
    })();
    void sending.catch(() => undefined);
    const answers: Answer[] = [];
    while (answers.length < enough) {
      const answer = (await stream.next()) as Answer | undefined;
      if (answer === undefined) break;
      answers.push(answer);
    }
    if (answers.length === enough) {
      // What is still on its way has been answered too.
      void first.kill();
      answers.push(...((await stream.rest().catch(() => [])) as Answer[]));
    }
    return answers;
  }

  it('every answered line is recorded, and a repeat runs the rest and nothing twice', async () => {
    const scene = await buildScene(first);
    const { decisionId, environmentId, deploymentId } = await scene.deployed('killed.json', doubling(2));
    const path = `/logic/${environmentId}/decisions/${decisionId}/batches`;
    const rows = async (): Promise<Set<string>> => {
      const found = (await recordedRows(testDatabase())
        .select('id')
        .where({ deployment_id: idToBytes(deploymentId) })) as { id: Buffer }[];
      return new Set(found.map(({ id }) => id.toString('hex')));
    };
    const key = randomUUID();
    const answered = await send(first, scene, path, { from: 0, key, enough: enoughOfFirst });
    expect(answered.length).to.be.within(enoughOfFirst, count - 1);
    const recorded = await rows();
    const ids = answered.map(({ id = '' }) => idToBytes(id).toString('hex'));
    expect(ids.filter((id) => !recorded.has(id))).to.deep.equal([]);

    second = await bootApp();
    const rest = await send(second, scene, path, { from: answered.length, key });
    expect(rest.at(-1)).to.have.nested.property('summary.completed', count - answered.length);
    const all = [...answered, ...rest.slice(0, -1)];
    expect(all.map(({ result }) => result?.y)).to.deep.equal(lines.map(({ fact }) => 2 * fact.x));
    expect((await rows()).size).to.equal(count);
  });
});
