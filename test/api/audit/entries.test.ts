import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { AuditEntry } from '../../../src/audit/audit.store.js';
import type { Deployment } from '../../../src/deployments/deployments.schema.js';
import type { Environment } from '../../../src/environments/environments.schema.js';
import { useApp } from '../../support/app.js';
import { bodyOf, expectProblem, timestamp, uuidV7 } from '../../support/asserts.js';
import { doubling } from '../../support/models.js';
import { useFreshScene } from '../../support/scene.js';

const path = '/logic/audit-entries';

interface Listed {
  readonly data: AuditEntry[];
  readonly page: { readonly size: number; readonly total: number; readonly after: string; readonly before: string };
}

describe('audit entries', () => {
  const app = useApp();
  const scene = useFreshScene(app);

  const list = async (query = ''): Promise<Listed> => bodyOf(await scene.caller.get(path + query)) as Listed;
  const actions = async (query = ''): Promise<string[]> => (await list(query)).data.map(({ action }) => action);
  const create = async (name = 'Test'): Promise<Environment> =>
    (await scene.caller.post('/logic/environments', { name })).body as Environment;
  const principal = (): string => `client:${scene.client.id}`;

  it('tell who did what to which resource, and the states before and after', async () => {
    const requestIds = [randomUUID(), randomUUID(), randomUUID()] as const;
    const headers = requestIds.map((id) => ({ 'X-Request-Id': id }));
    const made = (await scene.caller.post('/logic/environments', { name: 'One' }, headers[0])).body as Environment;
    const changed = (await scene.caller.patch(`/logic/environments/${made.id}`, { name: 'Two' }, headers[1])).body;
    await scene.caller.delete(`/logic/environments/${made.id}`, headers[2]);
    const { data, page } = await list(`?resourceId=${made.id.toUpperCase()}`);
    const common = { workspaceId: scene.workspaceId, principal: principal() };
    const resource = { type: 'environment', id: made.id };
    const [one, two, three] = data;
    expect(data).to.deep.equal([
      {
        id: one?.id,
        at: one?.at,
        ...common,
        requestId: requestIds[0],
        action: 'environment.create',
        resource,
        before: null,
        after: made,
      },
      {
        id: two?.id,
        at: two?.at,
        ...common,
        requestId: requestIds[1],
        action: 'environment.update',
        resource,
        before: made,
        after: changed,
      },
      {
        id: three?.id,
        at: three?.at,
        ...common,
        requestId: requestIds[2],
        action: 'environment.delete',
        resource,
        before: changed,
        after: null,
      },
    ]);
    for (const { id, at } of data) {
      expect(id).to.match(uuidV7);
      expect(at).to.match(timestamp);
    }
    expect(page.size).to.equal(3);
    expect(page.total).to.equal((await list()).data.length);
  });

  it('tell which deployment is in force after a deployment, and after its removal', async () => {
    const environment = await create();
    const decisionId = await scene.decision('d.json', doubling(2));
    const one = await scene.deploy(decisionId, environment.id, 1);
    const two = await scene.deploy(decisionId, environment.id, 0);
    await scene.caller.delete(`/logic/deployments/${two}`);
    const pair = `${environment.id}/${decisionId}`;
    const routes = (await list(`?resourceType=routing&resourceId=${encodeURIComponent(pair)}`)).data;
    const [first, second] = [
      { deploymentId: one, version: 1 },
      { deploymentId: two, version: 0 },
    ];
    expect(routes.map(({ action, before, after }) => ({ action, before, after }))).to.deep.equal([
      { action: 'routing.create', before: null, after: first },
      { action: 'routing.update', before: first, after: second },
      { action: 'routing.update', before: second, after: first },
    ]);
    await scene.caller.delete(`/logic/environments/${environment.id}`);
    const last = (await list('?order=desc&size=3')).data;
    expect(last.map(({ action, resource }) => [action, resource.id])).to.deep.equal([
      ['environment.delete', environment.id],
      ['routing.delete', pair],
      ['deployment.delete', one],
    ]);
    expect((last[2]?.before as Deployment).name).to.equal('Deployment');
  });

  it('tell which variables an environment had that is removed, and not what a secret was', async () => {
    const { id } = await create();
    const at = `/logic/environments/${id}`;
    await scene.caller.put(`${at}/variables/KEY`, { value: 's3cr3t-one', secret: true });
    const { updatedAt } = (await scene.caller.put(`${at}/variables/RATE`, { value: 1.5 })).body as {
      updatedAt: string;
    };
    await scene.caller.delete(at);
    const [last, rate, key] = (await list('?order=desc&size=3')).data;
    expect(last).to.deep.include({ action: 'environment.delete', resource: { type: 'environment', id } });
    expect(rate).to.deep.include({
      action: 'variable.delete',
      resource: { type: 'variable', id: `${id}/RATE`, key: 'RATE' },
      before: { name: 'RATE', value: 1.5, secret: false, updatedAt },
      after: null,
    });
    expect(key).to.deep.include({
      action: 'variable.delete',
      resource: { type: 'variable', id: `${id}/KEY`, key: 'KEY' },
    });
    expect(key?.before).to.not.have.property('value');
  });

  it('never hold the value of a secret, nor what a variable was before it became one', async () => {
    const { id } = await create();
    const at = `/logic/environments/${id}/variables/KEY`;
    await scene.caller.put(at, { value: 'visible' });
    await scene.caller.put(at, { value: 's3cr3t-one', secret: true });
    await scene.caller.put(at, { value: 's3cr3t-two', secret: true });
    await scene.caller.put(at, { value: 'shown' });
    await scene.caller.put(at, { value: 'x'.repeat(5000) });
    await scene.caller.delete(at);
    const { data } = await list(`?resourceId=${id}/KEY`);
    const told = data.map(({ action, before, after }) => {
      const values = [before, after].map((state) => (state as { value?: unknown } | null)?.value ?? null);
      return [action, ...values];
    });
    expect(told).to.deep.equal([
      ['variable.create', null, 'visible'],
      ['variable.update', null, null],
      ['variable.update', null, null],
      ['variable.update', null, 'shown'],
      ['variable.update', 'shown', null],
      ['variable.delete', null, null],
    ]);
    expect(JSON.stringify(data)).to.not.include('s3cr3t');
    expect(data[0]?.resource).to.deep.equal({ type: 'variable', id: `${id}/KEY`, key: 'KEY' });
  });

  it('are there for what changed something, and for nothing else', async () => {
    const { id } = await create();
    const before = (await list()).page.total;
    await scene.caller.patch(`/logic/environments/${id}`, {});
    await scene.caller.patch(`/logic/environments/${id}`, { name: 'x' }, { 'If-Match': '"7"' });
    await scene.caller.delete(`/logic/environments/${randomUUID()}`);
    await scene.caller.delete(`/logic/environments/${id}/variables/NONE`);
    await scene.caller.post('/logic/deployments', { decisionId: id, environmentId: id, name: 'x', deployedBy: 'x' });
    expect((await list()).page.total).to.equal(before);
  });

  describe('are found', () => {
    let one: Environment;
    let two: Environment;
    beforeEach(async () => {
      one = await create();
      two = await create();
      await scene.caller.put(`/logic/environments/${one.id}/hosts`, { hosts: ['a.example'] });
      await scene.caller.patch(`/logic/environments/${two.id}`, { name: 'Two' });
    });

    it('by every filter, and by several', async () => {
      expect(await actions(`?resourceId=${two.id}`)).to.deep.equal(['environment.create', 'environment.update']);
      expect(await actions(`?resourceId=${one.id}`)).to.deep.equal(['environment.create', 'hosts.update']);
      expect(await actions(`?resourceId=${one.id}&resourceType=hosts`)).to.deep.equal(['hosts.update']);
      expect(await actions('?resourceType=hosts')).to.deep.equal(['hosts.update']);
      expect(await actions('?action=environment.update')).to.deep.equal(['environment.update']);
      expect(await actions(`?principal=${principal()}`)).to.have.lengthOf(4);
      expect(await actions(`?principal=${principal()}&action=hosts.update`)).to.deep.equal(['hosts.update']);
      expect(await actions('?principal=client:nobody')).to.deep.equal([]);
    });

    for (const [pointer, example, good, bad] of [
      [
        'action',
        'an action, such as `deployment.create`',
        ['change_request.approve', 'outbox.retry', 'evaluation_hosts.update'],
        ['nope', 'foo.bar', 'environment.upd', 'environments.create', 'environment.approve', ''],
      ],
      [
        'resourceType',
        'a type of resource, such as `deployment`',
        ['change_request', 'outbox', 'evaluation_hosts'],
        ['nope', 'Environment', 'environments', 'environment.create', 'constructor', ''],
      ],
    ] as const)
      it(`by each ${pointer} that there is, and by no other`, async () => {
        for (const text of bad) {
          const { status, body } = await scene.caller.get(`${path}?${pointer}=${text}`);
          expect(status, text).to.equal(400);
          const errors = [{ in: 'query', pointer, message: `must be ${example}` }];
          expect((body as { errors: unknown[] }).errors).to.deep.equal(errors);
        }
        for (const text of good) expect(await actions(`?${pointer}=${text}`)).to.deep.equal([]);
      });

    it('by time: from a moment on, and before one', async () => {
      const { data } = await list(`?principal=${principal()}`);
      const times = data.map(({ at }) => at);
      for (const time of times) {
        const from = await list(`?principal=${principal()}&from=${time}`);
        expect(from.data).to.deep.equal(data.filter(({ at }) => at >= time));
        const to = await list(`?principal=${principal()}&to=${time}`);
        expect(to.data).to.deep.equal(data.filter(({ at }) => at < time));
      }
      expect(await actions('?from=2000-01-01&to=2000-01-02')).to.deep.equal([]);
      const zoned = encodeURIComponent('2000-01-01T00:00:00+02:00');
      expect(await actions(`?from=${zoned}`)).to.deep.equal(await actions());
    });

    it('page by page, in both orders, forwards and backwards', async () => {
      const all = (await list()).data;
      for (const order of ['asc', 'desc']) {
        const ordered = order === 'asc' ? all : all.toReversed();
        const first = await list(`?size=2&order=${order}`);
        expect(first.data).to.deep.equal(ordered.slice(0, 2));
        expect(first.page.total).to.equal(all.length);
        const second = await list(`?size=2&order=${order}&after=${first.page.after}`);
        expect(second.data).to.deep.equal(ordered.slice(2, 4));
        expect(await list(`?size=2&order=${order}&before=${second.page.before}`)).to.deep.equal(first);
        expect((await list(`?order=${order}&before=${first.page.before}`)).data).to.deep.equal([]);
      }
    });
  });

  const message = 'must be a date such as 2026-01-31 or 2026-01-31T09:30:00Z';
  for (const [instance, pointer, text] of [
    [path, 'from', 'yesterday'],
    [path, 'to', '2026-02-30'],
    [path, 'to', '2026-02-03T10:00:00'],
    ['/logic/executions', 'from', 'now'],
    ['/logic/executions', 'to', '2026-02-30'],
  ] as const) {
    it(`and what else is listed of a time refuse ${instance}?${pointer}=${text}`, async () => {
      const answer = await scene.caller.get(`${instance}?${pointer}=${text}`);
      expectProblem(answer, 'validation_failed', { instance, errors: [{ in: 'query', pointer, message }] });
    });
  }
});
