import { expect } from 'chai';
import { bootApp, type TestApp } from '../../support/app.js';
import { bodyOf, expectProblem } from '../../support/asserts.js';
import { eventually } from '../../support/eventually.js';
import { makeDue } from '../../support/jobs.js';
import { callerOf, type Caller } from '../../support/http.js';
import { expressing } from '../../support/models.js';
import { verified } from '../../support/outbox.js';
import { buildScene, testDatabase, type Scene } from '../../support/scene.js';
import { useTestServer } from '../../support/target-server.js';
import { idToBytes } from '../../../src/storage/ids.js';

interface Shown {
  readonly id: string;
  readonly state: string;
  readonly value: number | null;
  readonly lookedAt: string | null;
}

describe('monitors', function () {
  let app: TestApp;
  const receiver = useTestServer((_request, response) => response.writeHead(204).end());
  let scene: Scene;
  let caller: Caller;
  let environmentId: string;
  let decisionId: string;
  const boot = async (): Promise<void> => {
    app = await bootApp({ OUTBOUND_ALLOW: `127.0.0.1:${receiver.port}` });
  };
  const restart = async (): Promise<void> => {
    await app.stop();
    await boot();
    caller = callerOf(app.baseUrl, scene.token, scene.workspaceId);
  };
  before(boot);
  after(() => app.stop());
  beforeEach(async () => {
    scene = await buildScene(app);
    ({ caller } = scene);
    receiver.seen.length = 0;
    ({ decisionId, environmentId } = await scene.deployed(
      'd.json',
      expressing({ decision: "x < 1 ? 'refused' : 'granted'", rate: 'x * 2' }),
    ));
  });

  const asked = (more: object): object => ({
    ...{ name: 'Refusals', environmentId, decisionId, window: '1h', measure: 'failed', condition: '> 0.2' },
    ...more,
  });
  const made = async (more: object): Promise<Shown> =>
    bodyOf(await caller.post('/logic/monitors', asked(more)), 201) as Shown;
  const measure = (pointers: readonly string[]) => caller.put(`/logic/decisions/${decisionId}/measured`, { pointers });
  const execute = async (facts: readonly object[]): Promise<void> => {
    const path = `/logic/${environmentId}/decisions/${decisionId}/batches`;
    const answer = await caller.post(path, { items: facts.map((fact) => ({ fact })) });
    expect(answer.status, answer.text).to.equal(200);
  };
  /** So many of a hundred are refused. */
  const mix = (refused: number, of = 100): object[] =>
    Array.from({ length: of }, (_, n) => ({ x: n % 100 < refused ? 0 : 1 + n }));
  const read = async (id: string): Promise<Shown> => (await caller.get(`/logic/monitors/${id}`)).body as Shown;
  /** Once it was looked at so that this holds. */
  const until = async (id: string, holds: (shown: Shown) => boolean): Promise<Shown> => {
    let shown = await read(id);
    await eventually(async () => {
      await makeDue(testDatabase(), 'monitor', [id]);
      shown = await read(id);
      return holds(shown);
    });
    return shown;
  };
  /** Counts are written in pieces, so that a look may see some of them. */
  const isNear = (value: number | null, wanted: number): boolean => Math.abs((value ?? NaN) - wanted) < 1e-12;
  const counted = (count: number): Promise<unknown> =>
    eventually(async () => {
      const { body } = await caller.get(`/logic/measures?decisionId=${decisionId}`);
      return (body as { data: { count: number }[] }).data.reduce((sum, one) => sum + one.count, 0) === count;
    });
  /** All that is counted was 26 hours ago. */
  const intoThePast = async (): Promise<void> => {
    await restart();
    const database = testDatabase();
    await database('measures')
      .where({ workspace_id: idToBytes(scene.workspaceId) })
      .update({ hour: database.raw('TIMESTAMPADD(HOUR, -26, hour)') });
  };
  /** Shares of two groups, as told by hand. */
  const indexOf = (p: number, q: number): number =>
    (p - q) * Math.log(p / q) + (1 - p - (1 - q)) * Math.log((1 - p) / (1 - q));

  it('trip and clear on a drift, once each, through the callback and across a restart', async () => {
    const url = `${receiver.origin}/${scene.workspaceId}`;
    const set = await caller.put('/logic/callback', { url, kinds: ['monitor.tripped', 'monitor.cleared'] });
    const { secret } = set.body as { secret: string };
    await measure(['/decision']);
    await execute(mix(20));
    await counted(100);
    await intoThePast();
    const { id } = await made({ measure: { pointer: '/decision' }, condition: 'drift > 0.2' });
    expect(await until(id, ({ lookedAt }) => lookedAt !== null)).to.include({ state: 'CLEAR', value: null });
    await execute(mix(70));
    const tripped = await until(id, ({ state, value }) => state === 'TRIPPED' && isNear(value, indexOf(0.7, 0.2)));
    await restart();
    await until(id, ({ lookedAt }) => lookedAt !== tripped.lookedAt);
    await execute(mix(20, 900));
    const cleared = await until(id, ({ state, value }) => state === 'CLEAR' && isNear(value, indexOf(250 / 1000, 0.2)));
    await until(id, ({ lookedAt }) => lookedAt !== cleared.lookedAt);
    await eventually(() => receiver.seen.length >= 2);
    const events = receiver.seen.map((seen) => verified(secret, seen));
    const data = { workspaceId: scene.workspaceId, monitorId: id, environmentId, decisionId, name: 'Refusals' };
    const withoutLink = ({ link: _, ...rest }: Readonly<Record<string, unknown>>): object => rest;
    expect(events.map((event) => [event.type, withoutLink(event.data)])).to.have.deep.members([
      ['monitor.tripped', data],
      ['monitor.cleared', data],
    ]);
  });

  it('hold shares, failures and times against their bounds, once there is enough', async () => {
    await measure(['/decision', '/rate']);
    const share = await made({ measure: { pointer: '/decision', equals: 'refused' }, condition: '>= 0.25' });
    const failed = await made({ condition: '> 0.9' });
    const slow = await made({ measure: 'p99', condition: '> 0' });
    const numbers = await made({ measure: { pointer: '/rate' }, condition: 'drift > 0' });
    await execute(mix(25, 19));
    await counted(19);
    expect(await until(share.id, ({ lookedAt }) => lookedAt !== null)).to.include({ state: 'CLEAR', value: null });
    await execute([...mix(25).slice(19), { x: 'a' }]);
    expect(await until(share.id, ({ value }) => isNear(value, 0.25))).to.include({ state: 'TRIPPED' });
    expect(await until(failed.id, ({ value }) => isNear(value, 1 / 101))).to.include({ state: 'CLEAR' });
    expect((await until(slow.id, ({ state }) => state === 'TRIPPED')).value).to.be.above(0);
    expect(await read(numbers.id)).to.include({ state: 'CLEAR', value: null });
  });

  it('compare the numbers of a version with those of the version before it', async () => {
    await measure(['/rate']);
    await execute(mix(0));
    await counted(100);
    await scene.decision('d.json', expressing({ rate: 'x * 2' }));
    await scene.deploy(decisionId, environmentId, 2);
    const { id } = await made({ measure: { pointer: '/rate' }, window: '24h', condition: 'drift > 1' });
    await execute(mix(0));
    expect(await until(id, ({ value }) => isNear(value, 0))).to.include({ state: 'CLEAR' });
    await execute(mix(0, 900).map(() => ({ x: 1000 })));
    expect((await until(id, ({ state }) => state === 'TRIPPED')).value).to.be.above(1);
  });

  it('watch what their ids name, in upper case, too', async () => {
    await measure(['/decision']);
    const upper = { decisionId: decisionId.toUpperCase(), environmentId: environmentId.toUpperCase() };
    const shown = await made({ ...upper, measure: { pointer: '/decision', equals: 'no' } });
    expect(shown).to.deep.include({ decisionId, environmentId });
  });

  it('are listed, shown and removed, and refused where they say nothing', async () => {
    await measure(['/decision']);
    const first = await caller.post('/logic/monitors', asked({ name: ' Failures ' }));
    const { body, headers } = first as {
      body: Shown & { name: string; createdAt: string };
      headers: Record<string, string>;
    };
    const { id, createdAt } = body;
    expect(body).to.deep.equal({
      ...{ id, workspaceId: scene.workspaceId, ...asked({ name: 'Failures' }) },
      ...{ state: 'CLEAR', value: null, changedAt: null, lookedAt: null, createdAt },
    });
    expect(headers).to.include({ location: `/logic/monitors/${id}` });
    const { data } = (await caller.get('/logic/monitors')).body as { data: Shown[] };
    expect(data.map((one) => one.id)).to.deep.equal([id]);
    const other = asked({ measure: { pointer: '/other', equals: 'x' } });
    expect((await caller.post('/logic/monitors', other)).body).to.have.nested.property(
      'errors[0].pointer',
      '/measure/pointer',
    );
    const instance = `/logic/monitors/${id}`;
    expect((await caller.delete(instance)).status).to.equal(204);
    expectProblem(await caller.get(instance), 'monitor_not_found', { instance });
  });
});
