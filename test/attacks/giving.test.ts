/* eslint-disable max-lines -- every way to give oneself more, against one tenant */
import { expect } from 'chai';
import { createClient } from '../../src/access/clients.service.js';
import { scopes as allScopes } from '../../src/oauth/scopes.js';
import { idToBytes } from '../../src/storage/ids.js';
import { setPolicy } from '../../src/access/workspaces.service.js';
import { useApp, useOwnApp, type TestApp } from '../support/app.js';
import { expectProblem } from '../support/asserts.js';
import { eventually } from '../support/eventually.js';
import {
  buildClient,
  buildTenant,
  buildWorkspace,
  type BuiltClient,
  type ClientFields,
  useStore,
} from '../support/factories.js';
import { call, type Answer } from '../support/http.js';
import { basic, tokenOf } from '../support/tokens.js';

const clients = '/core/v1/clients';
const workspaces = '/core/v1/workspaces';
const own = ['clients:read', 'client:write', 'client:delete', 'workspaces:read', 'workspace:write'];
const ownToo = ['policies:read', 'policy:write', 'policy:delete', 'environments:read', 'environment:read'];
const day = 24 * 60 * 60 * 1000;
const expiresAt = new Date(Date.now() + day).toISOString();
const later = new Date(Date.now() + 2 * day).toISOString();
const limit = { perSecond: 500, burst: 1000 };
const resources = ['https://a.example/api'];

describe('giving oneself or another more than one has', () => {
  const app = useApp();
  const second = useOwnApp();
  const store = useStore();
  let tenantId: string;
  /** Granted to the giver, and not. */
  let mine: string;
  let other: string;
  let foreign: string;
  let giver: BuiltClient;
  /** May do what the giver may not, in the other workspace. */
  let strong: BuiltClient;
  let disabled: BuiltClient;
  /** What the giver may do anything with. */
  let weak: BuiltClient;
  let denial: string;
  let elsewhere: string;

  before(async () => {
    foreign = await buildWorkspace(store);
  });
  beforeEach(async () => {
    tenantId = await buildTenant(store);
    mine = await buildWorkspace(store, tenantId);
    other = await buildWorkspace(store, tenantId);
    const bounds = { expiresAt, limit, resources };
    const of = (fields: ClientFields): Promise<BuiltClient> => buildClient(store, { tenantId, ...fields });
    giver = await of({ scopes: [...own, ...ownToo].join(' '), workspaces: [mine], ...bounds });
    strong = await of({ scopes: 'execution:write environments:read', workspaces: [other], ...bounds });
    disabled = await of({ workspaces: [mine, other] });
    await store.database('clients').where('id', idToBytes(disabled.id)).update({ disabled_at: new Date() });
    weak = await of({ scopes: 'environments:read', workspaces: [], ...bounds, resources: [] });
    const policy = { effect: 'deny', subjects: ['bob'], roles: [], scopes: ['execution:write'] } as const;
    ({ id: denial } = await setPolicy(store, { workspaceId: mine }, policy));
    ({ id: elsewhere } = await setPolicy(store, { workspaceId: other }, policy));
  });

  const ask = (
    method: string,
    path: string,
    body?: object,
    { authorization = basic(giver.id, giver.secret), at = app }: { authorization?: string; at?: TestApp } = {},
  ): Promise<Answer> =>
    call(`${at.baseUrl}${path}`, {
      method,
      headers: { Authorization: authorization },
      ...(body === undefined ? {} : { body }),
    });
  const bearer = async (client: BuiltClient, form: Record<string, string> = {}): Promise<string> =>
    `Bearer ${await tokenOf(app.baseUrl, client, form)}`;

  /** All that says what somebody of the tenant may do. */
  async function rights(): Promise<string> {
    const tenant = idToBytes(tenantId);
    const { database } = store;
    const ids = [giver, strong, disabled, weak].map(({ id }) => idToBytes(id));
    return JSON.stringify([
      await database('clients').where('tenant_id', tenant).orderBy('id'),
      await database('client_secrets').whereIn('client_id', ids).orderBy('id'),
      await database('grants').where('tenant_id', tenant).orderBy(['client_id', 'workspace_id']),
      await database('policies').whereIn('workspace_id', [mine, other].map(idToBytes)).orderBy('id'),
      await database('workspaces').where('tenant_id', tenant).select('id', 'name', 'rate_per_second').orderBy('id'),
    ]);
  }

  /** Refuses, with these pointers blamed, and nobody may do anything more, or else, than before. */
  async function refuses(asking: () => Promise<Answer>, ...pointers: readonly string[]): Promise<void> {
    const before = await rights();
    const answer = await asking();
    expect(answer.status, answer.text).to.equal(403);
    const { code, instance, errors } = answer.body as {
      code: string;
      instance: string;
      errors?: { in: 'body'; pointer: string; message: string }[];
    };
    expect(code).to.equal('exceeds_own_rights');
    expectProblem(answer, 'exceeds_own_rights', { instance, ...(errors === undefined ? {} : { errors }) });
    expect((errors ?? []).map(({ pointer }) => pointer)).to.deep.equal(pointers);
    expect(await rights()).to.equal(before);
  }

  const fields = () => ({ name: 'made', scopes: ['environments:read'], expiresAt, limit });

  it('is what the rest is refused for: as much as one has can be given', async () => {
    const made = await ask('POST', clients, { ...fields(), workspaces: [mine], resources });
    expect(made.status, made.text).to.equal(201);
    const { id, secret, ...shown } = made.body as { id: string; secret: string };
    expect(shown).to.deep.include({ tenantId, workspaces: [mine], scopes: ['environments:read'], limit, expiresAt });
    const read = await ask('GET', `${clients}/${id}`);
    expect(read.body).to.deep.equal({ id, ...shown });
    expect((await ask('GET', clients, undefined, { authorization: basic(id, secret) })).status, 'no scope').to.equal(
      403,
    );
    const patched = await ask('PATCH', `${clients}/${weak.id}`, { scopes: own, workspaces: [mine] });
    expect(patched.status, patched.text).to.equal(200);
    const policy = { effect: 'allow', roles: ['reader'], scopes: ['environments:read'], expiresAt };
    expect((await ask('POST', `${workspaces}/${mine}/policies`, policy)).status).to.equal(201);
    expect((await ask('POST', `${clients}/${weak.id}/secrets`)).status).to.equal(201);
    // To take away is free.
    expect((await ask('PATCH', `${clients}/${strong.id}`, { scopes: ['environments:read'] })).status).to.equal(200);
    expect((await ask('PATCH', `${clients}/${disabled.id}`, { workspaces: [] })).status).to.equal(200);
    expect((await ask('DELETE', `${clients}/${disabled.id}`)).status).to.equal(204);
  });

  it('by many clients: what a limited client makes, and what that makes, is counted together with it', async () => {
    const slow = { perSecond: 1, burst: 6 };
    const scopes = ['client:write', 'clients:read'];
    const first = await buildClient(store, { tenantId, workspaces: [], scopes: scopes.join(' '), limit: slow });
    const made = [{ id: first.id, secret: first.secret }];
    for (let each = 0; each < 3; each++) {
      const by = made.at(-1)!;
      const answer = await eventually(async () => {
        const asked = await ask(
          'POST',
          clients,
          { name: 'made', scopes, limit: slow },
          { authorization: basic(by.id, by.secret) },
        );
        return asked.status === 201 ? asked : undefined;
      });
      made.push(answer.body as { id: string; secret: string });
    }
    const operator = await buildClient(store, { tenantId, workspaces: [], scopes: scopes.join(' '), limit: slow });
    const since = performance.now();
    const asking = ({ id, secret }: { id: string; secret: string }, at: TestApp) =>
      ask('GET', clients, undefined, { authorization: basic(id, secret), at });
    const answers = await Promise.all(
      Array.from({ length: 48 }, (_, each) => asking(made[each % 4]!, each % 8 < 4 ? app : second)),
    );
    const through = answers.filter(({ status }) => status === 200).length;
    const allowed = slow.burst + Math.ceil((performance.now() - since) / 1000);
    // Twice, where Redis did not answer in time: then each process counts by itself.
    expect(through).to.be.within(0, 2 * allowed);
    expect(answers.every(({ status }) => status === 200 || status === 429)).to.equal(true);
    expect((await asking(operator, app)).status, 'of its own').to.equal(200);
  });

  it('by taking for good: what nobody could give back stays, however it would be taken', async () => {
    const alone = await buildTenant(store);
    const [one, two] = [await buildWorkspace(store, alone), await buildWorkspace(store, alone)];
    const strongest = await buildClient(store, { tenantId: alone, workspaces: [one, two], resources });
    const scopes = 'client:write client:delete clients:read';
    const thief = await buildClient(store, { tenantId: alone, workspaces: [one], scopes });
    // It has everything, but gives nothing.
    await buildClient(store, { tenantId: alone, workspaces: [one, two], resources, scopes: 'execution:write' });
    const as = { authorization: basic(thief.id, thief.secret) };
    const path = `${clients}/${strongest.id}`;
    const attempts: [string, object?][] = [
      ['PATCH', { scopes: ['clients:read'] }],
      ['PATCH', { scopes: strongest.scopes.filter((scope) => scope !== 'execution:write') }],
      ['PATCH', { scopes: strongest.scopes.filter((scope) => scope !== 'client:write') }],
      ['PATCH', { workspaces: [one] }],
      ['PATCH', { resources: [] }],
      ['PATCH', { disabled: true }],
      ['PATCH', { expiresAt }],
      ['DELETE'],
    ];
    for (const [method, body] of attempts) {
      const answer = await ask(method, path, body, as);
      expectProblem(answer, 'last_client_writer', { instance: path });
    }
    const other = await buildClient(store, { tenantId: alone, workspaces: [one, two], resources });
    for (const [method, body] of attempts) {
      const answer = await ask(method, path, body, as);
      expect(answer.status, answer.text).to.be.within(200, 204);
      if (method === 'PATCH') {
        const all = { scopes: strongest.scopes, workspaces: [one, two], resources, disabled: false, expiresAt: null };
        const back = await ask('PATCH', path, all, { authorization: basic(other.id, other.secret) });
        expect(back.status, back.text).to.equal(200);
      }
    }
  });

  it('by a new client: scopes, workspaces, resources, time, limit', async () => {
    const make = (more: object) => () => ask('POST', clients, { ...fields(), ...more });
    await refuses(make({ scopes: ['environments:read', 'execution:write', 'audit:read'] }), '/scopes/1', '/scopes/2');
    for (const workspace of [other, other.toUpperCase(), foreign]) {
      await refuses(make({ workspaces: [mine, workspace] }), '/workspaces/1');
    }
    await refuses(make({ resources: ['https://b.example/api'] }), '/resources/0');
    await refuses(make({ expiresAt: later }), '/expiresAt');
    await refuses(make({ expiresAt: null }), '/expiresAt');
    await refuses(make({ expiresAt: new Date(Date.parse(expiresAt) + 1).toISOString() }), '/expiresAt');
    await refuses(() => ask('POST', clients, { name: 'made', scopes: own }), '/expiresAt', '/limit');
    for (const more of [null, { perSecond: 501, burst: 1 }, { perSecond: 1, burst: 1001 }]) {
      await refuses(make({ limit: more }), '/limit');
    }
  });

  it('by spelling it otherwise', async () => {
    const before = await rights();
    for (const scopes of [
      ['Execution:write'],
      ['environments:read execution:write'],
      ['execution:write '],
      ['*'],
      [],
    ]) {
      expect((await ask('POST', clients, { ...fields(), scopes })).status).to.equal(400);
      expect((await ask('PATCH', `${clients}/${giver.id}`, { scopes })).status).to.equal(400);
    }
    for (const more of [
      { roles: { more: ['execution:write'] } },
      JSON.parse('{"roles":{"__proto__":["execution:write"]}}') as object,
      { tenantId: 'x' },
      { disabledAt: null },
      { secret: 'mine' },
      { id: giver.id },
      { expiresAt: 'never' },
    ]) {
      expect((await ask('POST', clients, { ...fields(), ...more })).status).to.equal(400);
      expect((await ask('PATCH', `${clients}/${giver.id}`, more)).status).to.equal(400);
    }
    expect(await rights()).to.equal(before);
  });

  it('by a change of itself', async () => {
    const patch = (body: object) => () => ask('PATCH', `${clients}/${giver.id}`, body);
    const all = [...own, ...ownToo];
    await refuses(patch({ scopes: [...all, 'execution:write'] }), `/scopes/${all.length}`);
    await refuses(patch({ workspaces: [mine, other] }), `/workspaces/${mine < other ? 1 : 0}`);
    await refuses(patch({ resources: [...resources, 'https://b.example/api'] }), '/resources/1');
    await refuses(patch({ expiresAt: null }), '/expiresAt');
    await refuses(patch({ expiresAt: later }), '/expiresAt');
    await refuses(patch({ limit: null }), '/limit');
    await refuses(patch({ limit: { perSecond: 501, burst: 1000 } }), '/limit');
  });

  it('by a change of another, whose rights are scopes in workspaces: neither is added to what is more than one’s own', async () => {
    const patch =
      (body: object, id = strong.id) =>
      () =>
        ask('PATCH', `${clients}/${id}`, body);
    await refuses(patch({ workspaces: [mine, other] }), '/scopes/0', `/workspaces/${mine < other ? 1 : 0}`);
    await refuses(patch({ workspaces: [mine] }), '/scopes/0');
    await refuses(patch({ scopes: ['execution:write', 'environment:read'] }), '/scopes/0', '/workspaces/0');
    await refuses(patch({ scopes: ['environment:read'] }), '/workspaces/0');
    await refuses(patch({ resources: ['https://b.example/api'] }), '/scopes/0', '/resources/0', '/workspaces/0');
    await refuses(patch({ expiresAt: null }), '/scopes/0', '/workspaces/0', '/expiresAt');
    await refuses(patch({ limit: null }), '/scopes/0', '/workspaces/0', '/limit');
    await refuses(patch({ scopes: ['environments:read', 'execution:write'] }, weak.id), '/scopes/1');
    await refuses(patch({ workspaces: [other] }, weak.id), '/workspaces/0');
  });

  it('by bringing back one that may do more: enabled, or with a new time', async () => {
    const before = await rights();
    const patch = (body: object) => ask('PATCH', `${clients}/${disabled.id}`, body);
    const enabled = await patch({ disabled: false });
    expect(enabled.status, enabled.text).to.equal(403);
    expect((await patch({ disabled: false, workspaces: [], limit, expiresAt })).status).to.equal(403);
    expect(await rights()).to.equal(before);
    await store
      .database('clients')
      .where('id', idToBytes(strong.id))
      .update({ expires_at: new Date(Date.now() - 1) });
    const extend = () => ask('PATCH', `${clients}/${strong.id}`, { expiresAt });
    await refuses(extend, '/scopes/0', '/workspaces/0');
    // What is disabled may be made ready, and is nothing yet.
    expect((await patch({ scopes: ['execution:write'], workspaces: [mine, other] })).status).to.equal(200);
    const wanted = { scopes: [...allScopes] };
    expect((await patch({ disabled: false, ...wanted })).status).to.equal(403);
  });

  it('by a secret of one that may do more', async () => {
    const secret = (id: string) => () => ask('POST', `${clients}/${id}/secrets`);
    await refuses(secret(strong.id), '/scopes/0', '/workspaces/0');
    const before = await rights();
    expect((await secret(disabled.id)()).status).to.equal(403);
    expect(await rights()).to.equal(before);
  });

  it('by a token that has less than its client: it gives what it has, and no secret of the whole', async () => {
    const authorization = await bearer(giver, { scope: 'client:write environments:read' });
    const as = { authorization };
    await refuses(
      () => ask('POST', `${clients}/${giver.id}/secrets`, undefined, as),
      ...[0, 2, 3, 4, 5, 6, 7, 9].map((at) => `/scopes/${at}`),
    );
    await refuses(() => ask('POST', clients, { ...fields(), scopes: ['environment:read'] }, as), '/scopes/0');
    expect((await ask('POST', clients, fields(), as)).status).to.equal(201);
    expect((await ask('POST', workspaces, { name: 'x' }, as)).status).to.equal(403);
  });

  it('in more names than every process can keep of policies is refused with a code, not by MySQL', async () => {
    const make = (letter: string): Promise<Answer> => {
      const subjects = Array.from({ length: 100 }, (_, at) => `${at}`.padStart(2, '0') + letter.repeat(498));
      const policy = { effect: 'deny', subjects, scopes: ['environments:read'] };
      return ask('POST', `${workspaces}/${mine}/policies`, policy);
    };
    const instance = `${workspaces}/${mine}/policies`;
    const detail = 'The subjects of a policy have at most 60000 bytes, and so have its roles.';
    expectProblem(await make('\u{1f600}'), 'validation_failed', { instance, detail });
    const statuses = [];
    for (let made = 0; made < 6; made++) statuses.push((await make('x')).status);
    expect(statuses).to.deep.equal([201, 201, 201, 201, 201, 400]);
  });

  it('by policies: of scopes, workspaces and a time that one has not, or by removing what denies', async () => {
    const make =
      (more: object, of = mine) =>
      () =>
        ask('POST', `${workspaces}/${of}/policies`, {
          effect: 'allow',
          subjects: ['bob'],
          scopes: ['environments:read'],
          expiresAt,
          ...more,
        });
    for (const subjects of [['*'], [giver.id], [`client:${giver.id}`], [`https://id.example#${giver.id}`]]) {
      await refuses(make({ subjects, scopes: ['environments:read', 'execution:write'] }), '/scopes/1');
    }
    await refuses(make({ expiresAt: null }), '/expiresAt');
    await refuses(make({ expiresAt: later }), '/expiresAt');
    await refuses(make({}, other));
    await refuses(() => ask('GET', `${workspaces}/${other}/policies`));
    const refusal = await make({}, foreign)();
    expect((refusal.body as { code: string }).code).to.equal('workspace_not_found');
    await refuses(() => ask('DELETE', `${workspaces}/${mine}/policies/${denial}`), '/scopes/0', '/expiresAt');
    await refuses(() => ask('DELETE', `${workspaces}/${other}/policies/${elsewhere}`));
    await refuses(() => ask('PATCH', `${workspaces}/${other}`, { name: 'taken' }));
    expect((await make({ effect: 'deny', scopes: ['execution:write'], expiresAt: null })()).status).to.equal(201);
  });

  it('by what one had when the token was made, or a moment ago', async () => {
    const authorization = await bearer(giver);
    const make = () => ask('POST', clients, { ...fields(), scopes: ['environment:read'] }, { authorization });
    expect((await make()).status).to.equal(201);
    const lost = [...own, 'environments:read'].join(' ');
    await store.database('clients').where('id', idToBytes(giver.id)).update({ scopes: lost });
    await refuses(make, '/scopes/0');
    await store.database('grants').where('client_id', idToBytes(giver.id)).delete();
    const granted = () => ask('POST', clients, { ...fields(), workspaces: [mine] }, { authorization });
    await refuses(granted, '/workspaces/0');
    await store.database('clients').where('id', idToBytes(giver.id)).update({ scopes: 'clients:read' });
    const code = async (): Promise<string> => ((await granted()).body as { code: string }).code;
    expect(await code()).to.equal('insufficient_scope');
    await store.database('clients').where('id', idToBytes(giver.id)).update({ disabled_at: new Date() });
    expect(await code()).to.equal('unauthorized');
  });

  it('by two requests at once, each of which gives a part: of two givers, through two processes', async () => {
    const bounds = { tenantId, roles: {}, resources: [], name: 'one' };
    // One has both scopes, the other one the workspace.
    const [one, two] = [
      await createClient(store, { ...bounds, scopes: ['client:write', 'pool:read', 'audit:read'], workspaces: [] }),
      await createClient(store, { ...bounds, scopes: ['client:write', 'pool:read'], workspaces: [mine] }),
    ];
    for (let round = 0; round < 15; round++) {
      const { client } = await createClient(store, { ...bounds, scopes: ['pool:read'], workspaces: [] });
      const answers = await Promise.all([
        ask(
          'PATCH',
          `${clients}/${client.id}`,
          { scopes: ['pool:read', 'audit:read'] },
          {
            authorization: basic(one.client.id, one.secret),
          },
        ),
        ask(
          'PATCH',
          `${clients}/${client.id}`,
          { workspaces: [mine] },
          {
            authorization: basic(two.client.id, two.secret),
            at: second,
          },
        ),
      ]);
      expect(answers.map(({ status }) => status).sort(), answers[0].text).to.deep.equal([200, 403]);
    }
  });

  it('the last client that may write clients stays: whether it is deleted, disabled, cut or timed, and by two at once', async () => {
    const alone = await buildTenant(store);
    const build = () => buildClient(store, { tenantId: alone, workspaces: [], scopes: own.join(' ') });
    const last = await build();
    const as = { authorization: basic(last.id, last.secret) };
    const path = `${clients}/${last.id}`;
    const attempts: [string, object?][] = [
      ['DELETE'],
      ['PATCH', { disabled: true }],
      ['PATCH', { scopes: ['clients:read'] }],
      ['PATCH', { expiresAt }],
    ];
    for (const [method, body] of attempts) {
      expectProblem(await ask(method, path, body, as), 'last_client_writer', { instance: path });
    }
    for (let round = 0; round < 10; round++) {
      const next = await build();
      const others = [last, next];
      const found = (await ask('GET', clients, undefined, as)).body as { data: { id: string; disabledAt: unknown }[] };
      const living = found.data.filter(({ disabledAt }) => disabledAt === null).map(({ id }) => id);
      expect(living).to.deep.equal(others.map(({ id }) => id));
      // Each deletes the other: one of them comes too late to be anybody, or finds itself the last.
      const answers = await Promise.all([
        ask('DELETE', `${clients}/${next.id}`, undefined, as),
        ask('PATCH', path, { disabled: true }, { authorization: basic(next.id, next.secret), at: second }),
      ]);
      const done = answers.filter(({ status }) => status < 300);
      expect(done, answers.map(({ text }) => text).join()).to.have.length(1);
      if (answers[1].status < 300) break;
    }
    const { data } = await allOf(alone);
    expect(data.some(({ disabled_at, scopes }) => disabled_at === null && scopes.includes('client:write'))).to.equal(
      true,
    );
  });

  const allOf = async (tenant: string): Promise<{ data: { disabled_at: Date | null; scopes: string }[] }> => ({
    data: await store.database('clients').where('tenant_id', idToBytes(tenant)).select('disabled_at', 'scopes'),
  });
});
