import { expect } from 'chai';
import { consoleBelow } from '../../../src/config/addresses.js';
import { mayReportFailure } from '../../../src/events/events.store.js';
import { eventKinds } from '../../../src/events/kinds.js';
import { idToBytes } from '../../../src/storage/ids.js';
import { useOwnApp } from '../../support/app.js';
import { bodyOf, expectProblem } from '../../support/asserts.js';
import { apply, ask, protect, review } from '../../support/changes.js';
import { eventually } from '../../support/eventually.js';
import { doubling, expressing } from '../../support/models.js';
import { verified } from '../../support/outbox.js';
import { replayed } from '../../support/replays.js';
import { testDatabase, useFreshScene } from '../../support/scene.js';
import { testConfig } from '../../support/settings.js';
import { useTestServer } from '../../support/target-server.js';

const path = '/logic/callback';

describe('events of a workspace', () => {
  const receiver = useTestServer(({ url }, response) => response.writeHead(url === '/broken' ? 503 : 204).end());
  const app = useOwnApp(() => ({ OUTBOUND_ALLOW: `127.0.0.1:${receiver.port}` }));
  const scene = useFreshScene(app);
  beforeEach(() => void (receiver.seen.length = 0));

  /** Where the console shows it. */
  const link = (page: string): string => `${consoleBelow(testConfig({}).issuer)}${page}?workspace=${scene.workspaceId}`;
  const url = (): string => `${receiver.origin}/${scene.workspaceId}`;
  const hearing = async (kinds: readonly string[] = eventKinds): Promise<string> =>
    (bodyOf(await scene.caller.put(path, { url: url(), kinds })) as { secret: string }).secret;
  interface Event {
    readonly type: string;
    readonly data: Readonly<Record<string, unknown>>;
  }
  /** The first so many events, in the order in which they happened. */
  const received = async (secret: string, count: number): Promise<Event[]> => {
    await eventually(() => receiver.seen.length >= count);
    const events = receiver.seen.map((seen) => verified(secret, seen));
    return events.sort((a, b) => (a.timestamp < b.timestamp ? -1 : 1)).map(({ type, data }) => ({ type, data }));
  };

  it('go where the workspace says, which shows its secret once', async () => {
    expectProblem(await scene.caller.get(path), 'callback_not_found', { instance: path });
    expect((await scene.caller.delete(path)).status).to.equal(204);
    const kinds = ['change.requested', 'execution.failed'];
    const first = await scene.caller.put(path, { url: url(), kinds });
    const { secret } = first.body as { secret: string };
    expect(first.body).to.deep.equal({ url: url(), kinds, secret });
    expect(secret).to.match(/^whsec_/);
    const read = await scene.caller.get(path);
    expect([read.body, read.headers.etag]).to.deep.equal([{ url: url(), kinds }, first.headers.etag]);
    const second = await scene.caller.put(path, { url: url(), kinds: ['version.saved'] });
    expect(second.body).to.deep.equal({ url: url(), kinds: ['version.saved'] });
    for (const body of [
      { url: 'ftp://a.example', kinds },
      { url: 'http://127.0.0.1:1/', kinds },
    ]) {
      const refused = await scene.caller.put(path, body);
      expect(refused.status).to.equal(400);
      const { errors } = refused.body as { errors: { pointer: string }[] };
      expect(errors.map(({ pointer }) => pointer)).to.deep.equal(['/url']);
    }
    expect((await scene.caller.delete(path)).status).to.equal(204);
    expect((await scene.caller.get(path)).status).to.equal(404);
  });

  it('are tried by a ping, which tells what came of it, and signed by both secrets for a day after a rotation', async () => {
    for (const operation of ['pings', 'secrets'])
      expectProblem(await scene.caller.post(`${path}/${operation}`, undefined), 'callback_not_found', {
        instance: `${path}/${operation}`,
      });
    const first = await hearing(['version.saved']);
    const rotated = await scene.caller.post(`${path}/secrets`, undefined);
    expect([rotated.status, rotated.headers['cache-control']]).to.deep.equal([201, 'no-store']);
    const { secret, previousExpiresAt } = rotated.body as { secret: string; previousExpiresAt: string };
    expect(secret)
      .to.match(/^whsec_/)
      .and.not.equal(first);
    expect(Date.parse(previousExpiresAt) - Date.now()).to.be.within(23 * 3_600_000, 24 * 3_600_000);
    const sent = await scene.caller.post(`${path}/pings`, undefined);
    expect(sent.body).to.deep.include({ url: url(), delivered: true, status: 204, error: null });
    for (const each of [first, secret]) {
      const [event] = receiver.seen.map((seen) => verified(each, seen));
      expect(event).to.deep.include({ type: 'ping', data: { workspaceId: scene.workspaceId } });
    }
    const { body } = await scene.caller.get('/logic/audit-entries?action=callback.rotate_secret');
    expect((body as { data: unknown[] }).data).to.have.length(1);
    expect(JSON.stringify(body)).to.not.include('whsec_');
  });

  it('whose receiver refuses them are told so by a ping, which is no error of the request', async () => {
    await scene.caller.put(path, { url: `${receiver.origin}/broken`, kinds: ['version.saved'] });
    const sent = await scene.caller.post(`${path}/pings`, undefined);
    expect(sent.status).to.equal(200);
    expect(sent.body)
      .to.deep.include({ delivered: false, status: 503 })
      .and.to.have.property('error')
      .that.includes('503');
  });

  it('tell of versions, deployments and change requests, by ids, keys and names', async () => {
    const decisionId = await scene.decision('double.json', doubling(2));
    const environmentId = await scene.environment();
    const secret = await hearing();
    const principal = `client:${scene.client.id}`;
    const { workspaceId } = scene;
    await scene.caller.patch(`/logic/decisions/${decisionId}`, { content: doubling(3) });
    await scene.caller.post(`/logic/decisions/${decisionId}/versions`, {});
    const deploymentId = await scene.deploy(decisionId, environmentId, 2);
    await scene.caller.delete(`/logic/deployments/${deploymentId}`);
    await protect(scene.caller, environmentId, { authorMayApprove: true });
    const made = await ask(scene.caller, environmentId, [{ type: 'deploy', decisionId, version: 1 }]);
    await review(scene.caller, made, 'comment');
    await review(scene.caller, made);
    await apply(scene.caller, made);
    const events = await received(secret, 8);
    const by = new Map(events.map(({ type, data }) => [type, data]));
    const applied = [...events].reverse().find(({ type }) => type === 'deployment.created')?.data;
    expect(events.map(({ type }) => type).sort()).to.deep.equal(
      [
        ...['version.saved', 'deployment.created', 'deployment.deleted', 'change.requested', 'change.approved'],
        ...['deployment.created', 'change.applied', 'protection.changed'],
      ].sort(),
    );
    expect(by.get('version.saved')).to.deep.equal({
      ...{ workspaceId, principal, decisionId, key: 'double.json', version: 2 },
      link: link(`/decisions/${decisionId}`),
    });
    const deployment = { workspaceId, principal, decisionId, environmentId };
    expect(by.get('deployment.deleted')).to.deep.equal({
      ...deployment,
      ...{ deploymentId, version: 2, name: 'Deployment', deployedBy: 'test', link: link('/deployments') },
    });
    expect(applied).to.include({ ...deployment, version: 1, name: 'A change', deployedBy: principal });
    const change = {
      ...{ workspaceId, principal, environmentId, author: principal },
      ...{ changeRequestId: made.id, title: 'A change', link: link(`/requests/${made.id}`) },
    };
    expect(by.get('change.requested')).to.deep.equal({ ...change, state: 'OPEN' });
    expect(by.get('change.approved')).to.deep.equal({ ...change, state: 'APPROVED' });
    expect(by.get('change.applied')).to.deep.equal({ ...change, state: 'APPLIED' });
  });

  it('tell authors and approvers of each other way that a request goes, and of protections', async () => {
    const decisionId = await scene.decision('double.json', doubling(2));
    const environmentId = await scene.environment();
    await scene.caller.post(`/logic/decisions/${decisionId}/versions`, {});
    const secret = await hearing(eventKinds.filter((kind) => !/^(deployment|version)/.test(kind)));
    const told: string[] = [];
    /** What has come since the last time, when so many have. */
    const since = async (count: number): Promise<Event[]> => {
      const events = (await received(secret, told.length + count)).slice(told.length);
      told.push(...events.map(({ type }) => type));
      return events;
    };
    const kinds = (events: readonly Event[]): string[] => events.map(({ type }) => type).sort();
    const deploy = (version: number): object => ({ type: 'deploy', decisionId, version });
    const request = (version: number): ReturnType<typeof ask> => ask(scene.caller, environmentId, [deploy(version)]);
    const protection = { authorMayApprove: true, override: true };

    await protect(scene.caller, environmentId, protection);
    expect(await since(1)).to.deep.equal([
      {
        type: 'protection.changed',
        data: {
          ...{ workspaceId: scene.workspaceId, principal: `client:${scene.client.id}`, environmentId },
          link: link(`/environments/${environmentId}`),
        },
      },
    ]);
    const refused = await request(1);
    await review(scene.caller, refused, 'reject');
    expect(kinds(await since(2))).to.deep.equal(['change.rejected', 'change.requested']);

    const moved = await request(1);
    await review(scene.caller, moved);
    expect(kinds(await since(2))).to.deep.equal(['change.approved', 'change.requested']);
    await protect(scene.caller, environmentId, { ...protection, approvals: 2 });
    expect(kinds(await since(2))).to.deep.equal(['change.reopened', 'protection.changed']);
    await protect(scene.caller, environmentId, protection);
    expect(kinds(await since(2)), 'its approval counts again').to.deep.equal(['change.approved', 'protection.changed']);
    await scene.caller.post(`/logic/change-requests/${moved.id}/close`, undefined);
    expect(kinds(await since(1))).to.deep.equal(['change.closed']);

    const forced = await request(1);
    await apply(scene.caller, forced, { override: { reason: 'Nobody is there' } });
    const [...last] = await since(3);
    expect(kinds(last)).to.deep.equal(['change.applied', 'change.overridden', 'change.requested']);
    const overridden = last.find(({ type }) => type === 'change.overridden');
    expect(overridden?.data).to.include({ changeRequestId: forced.id, state: 'APPLIED' });
    expect(receiver.seen.map(({ body }) => body).join(), 'words are not told').to.not.include('Nobody is there');
    expect((await scene.caller.delete(`/logic/environments/${environmentId}/protection`)).status).to.equal(204);
    expect(kinds(await since(1))).to.deep.equal(['protection.changed']);
  });

  it('tell of replays, and of some failed executions, and of nothing that was not asked for', async () => {
    const secret = await hearing(['replay.completed', 'execution.failed']);
    const failing = await scene.deployed('failing.json', expressing({ y: 'number(x)' }));
    const { decisionId, environmentId, deploymentId } = failing;
    const executions: string[] = [];
    for (let i = 0; i < 5; i++) {
      const fact = { x: 'not a number, but a secret' };
      const { body } = await scene.caller.post(`/logic/${environmentId}/decisions/${decisionId}/executions`, { fact });
      expect(body).to.include({ status: 'FAILED' });
      executions.push((body as { id: string }).id);
    }
    const { id: replayId } = await replayed(scene.caller, { decisionId, environmentId, candidate: { version: 1 } });
    await eventually(() => receiver.seen.some(({ body }) => body.includes('replay.completed')));
    const events = await received(secret, 2);
    const failures = events.filter(({ type }) => type === 'execution.failed');
    expect(failures.length).to.be.within(1, executions.length);
    const { workspaceId } = scene;
    expect(failures[0]?.data).to.deep.include({ workspaceId, environmentId, decisionId, deploymentId, version: 1 });
    expect(executions).to.include(failures[0]?.data['executionId']);
    expect(events.filter(({ type }) => type !== 'execution.failed')).to.deep.equal([
      {
        type: 'replay.completed',
        data: { workspaceId, replayId, environmentId, decisionId, link: link(`/replays/${replayId}`) },
      },
    ]);
    expect(receiver.seen.map(({ body }) => body).join()).to.not.include('secret,');
  });

  for (const operation of ['executions', 'batches'])
    for (const key of [undefined, 'a']) {
      it(`tell of a failed execution, of ${operation} ${key === undefined ? 'without' : 'with'} a key`, async () => {
        const secret = await hearing(['execution.failed']);
        const { decisionId, environmentId } = await scene.deployed('failing.json', expressing({ y: 'number(x)' }));
        const item = { fact: { x: 'no number' } };
        const target = `/logic/${environmentId}/decisions/${decisionId}/${operation}`;
        const headers = key === undefined ? {} : { 'Idempotency-Key': key };
        await scene.caller.post(target, operation === 'batches' ? { items: [item] } : item, headers);
        const [event] = await received(secret, 1);
        expect(event?.data).to.include({ workspaceId: scene.workspaceId, decisionId });
      });
    }

  it('tell of a failed execution again once a second is over since the last', async () => {
    await hearing(['execution.failed']);
    const database = testDatabase();
    const maySince = async (seconds: number): Promise<boolean> => {
      const at = database.raw('TIMESTAMPADD(SECOND, ?, UTC_TIMESTAMP(3))', [-seconds]);
      await database('callbacks').where('owner_id', idToBytes(scene.workspaceId)).update({ failure_at: at });
      return mayReportFailure(database, scene.workspaceId);
    };
    // The last one in an hour: however slow the machine is, no second is over since.
    expect([await maySince(1), await maySince(-3600)]).to.deep.equal([true, false]);
  });
});
