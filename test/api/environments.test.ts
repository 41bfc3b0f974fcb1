import { expect } from 'chai';
import { type Environment, palette } from '../../src/environments/environments.schema.js';
import { useApp } from '../support/app.js';
import { bodyOf, timestamp, uuidV7 } from '../support/asserts.js';
import { useFreshScene } from '../support/scene.js';
import { environments } from '../../src/environments/environments.store.js';
import { buildWorkspace, useStore } from '../support/factories.js';

const path = '/logic/environments';

describe('environments', () => {
  const app = useApp();
  const scene = useFreshScene(app);

  const create = async (body: object = { name: 'Test' }): Promise<Environment> =>
    bodyOf(await scene.caller.post(path, body), 201) as Environment;

  it('POST answers 201 with the whole resource and a strong ETag', async () => {
    const answer = await scene.caller.post(path, { name: '  Production ', description: 'Live', color: '#0Af' });
    expect(answer.status).to.equal(201);
    expect(answer.headers['content-type']).to.equal('application/json; charset=utf-8');
    expect(answer.headers.etag).to.equal('"1"');
    const body = answer.body as Environment;
    expect(body).to.deep.equal({
      id: body.id,
      workspaceId: scene.workspaceId,
      name: 'Production',
      description: 'Live',
      color: '#0Af',
      createdAt: body.createdAt,
      updatedAt: body.createdAt,
    });
    expect(body.id).to.match(uuidV7);
    expect(body.createdAt).to.match(timestamp);
    expect((await scene.caller.get(`${path}/${body.id}`)).body).to.deep.equal(body);
  });

  it('POST draws an omitted colour from the palette, and stores null for no description', async () => {
    for (const description of [undefined, null, '']) {
      const body = await create({ name: 'Test', ...(description === undefined ? {} : { description }) });
      expect(palette).to.include(body.color);
      expect(body.description).to.equal(null);
    }
  });

  it('names need not be unique, and may be 255 characters of any script', async () => {
    const name = '🏢'.repeat(255);
    const [one, two] = [await create({ name }), await create({ name })];
    expect(one.id < two.id).to.equal(true);
    expect((await scene.caller.get(`${path}/${two.id}`)).body).to.include({ name });
    expect((await scene.caller.post(path, { name: `${name}🏢` })).status).to.equal(400);
  });

  it('POST refuses what is no colour', async () => {
    for (const color of ['red', '#12', '#12345', '#GGG', '', ' #fff', '#fff ']) {
      const answer = await scene.caller.post(path, { name: 'x', color });
      expect(answer.status, color).to.equal(400);
      expect(answer.body).to.have.nested.property('errors[0].pointer', '/color');
    }
  });

  it('PATCH changes what is given and nothing else, and moves the ETag', async () => {
    const created = await create({ name: 'Test', description: 'Before', color: '#abc' });
    const answer = await scene.caller.patch(`${path}/${created.id}`, { description: 'After' });
    expect(answer.status).to.equal(200);
    expect(answer.headers.etag).to.equal('"2"');
    const body = answer.body as Environment;
    expect(body).to.deep.equal({ ...created, description: 'After', updatedAt: body.updatedAt });
    expect(body.updatedAt >= created.updatedAt).to.equal(true);
    for (const cleared of [null, '']) {
      const again = await scene.caller.patch(`${path}/${created.id}`, { description: cleared });
      expect(again.body).to.include({ description: null });
    }
  });

  it('lists in ascending id order, forwards and backwards, and counts the workspace', async () => {
    const empty = await scene.caller.get(path);
    expect(empty.body).to.deep.equal({ data: [], page: { size: 0, total: 0, after: null, before: null } });
    const all: Environment[] = [];
    for (let index = 0; index < 7; index++) all.push(await create({ name: `E${index}` }));
    const whole = (await scene.caller.get(path)).body as { data: Environment[]; page: Record<string, unknown> };
    expect(whole.data).to.deep.equal(all);

    type Page = { data: Environment[]; page: { size: number; total: number; after: string; before: string } };
    const read = async (query: string): Promise<Page> => bodyOf(await scene.caller.get(`${path}?${query}`)) as Page;
    const first = await read('size=3');
    expect(first.data).to.deep.equal(all.slice(0, 3));
    expect([first.page.size, first.page.total]).to.deep.equal([3, 7]);
    const second = await read(`size=3&after=${first.page.after}`);
    expect(second.data).to.deep.equal(all.slice(3, 6));
    expect((await read(`size=3&after=${second.page.after}`)).data).to.deep.equal(all.slice(6));
    expect((await read(`size=2&before=${second.page.before}`)).data).to.deep.equal(all.slice(1, 3));
    const nothing = await read(`before=${first.page.before}`);
    expect(nothing).to.deep.equal({ data: [], page: { size: 0, total: 7, after: null, before: null } });

    await scene.caller.delete(`${path}/${all[2]!.id}`);
    expect((await read(`size=3&after=${first.page.after}`)).data).to.deep.equal(all.slice(3, 6));
  });
});

describe('lists', () => {
  const store = useStore();

  it('a page and its total are of one moment, whatever is made meanwhile', async () => {
    const workspaceId = await buildWorkspace(store);
    const fields = { name: 'x', description: null, color: '#fff' };
    let going = true;
    const make = async (): Promise<void> => {
      while (going) await environments.insert(store.database, workspaceId, fields);
    };
    const making = Promise.all([make(), make()]);
    const whole = { size: 5000, after: null, before: null };
    for (let round = 0; round < 100; round++) {
      const { page } = await environments.list(store.database, workspaceId, whole);
      expect(page.size).to.equal(page.total);
    }
    going = false;
    await making;
  });

  it('behind its last item a list has an empty page, of the same total', async () => {
    const workspaceId = await buildWorkspace(store);
    const fields = { name: 'x', description: null, color: '#fff' };
    for (let made = 0; made < 2; made++) await environments.insert(store.database, workspaceId, fields);
    const whole = await environments.list(store.database, workspaceId, { size: 2, after: null, before: null });
    const after = Buffer.from(whole.page.after ?? '', 'base64url');
    const { data, page } = await environments.list(store.database, workspaceId, { size: 2, after, before: null });
    expect(data).to.deep.equal([]);
    expect(page).to.deep.equal({ size: 0, total: 2, after: null, before: null });
  });
});
