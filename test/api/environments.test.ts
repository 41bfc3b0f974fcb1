import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { palette, type Environment } from '../../src/environments/environments.schema.js';
import { useApp } from '../support/app.js';
import { expectProblem, timestamp, uuidV7 } from '../support/asserts.js';
import { buildScene, useFreshScene } from '../support/scene.js';

const path = '/logic/environments';

describe('environments', () => {
  const app = useApp();
  const scene = useFreshScene(app);

  const create = async (body: object = { name: 'Test' }): Promise<Environment> => {
    const answer = await scene.caller.post(path, body);
    expect(answer.status, answer.text).to.equal(201);
    return answer.body as Environment;
  };

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
  });

  const refused: [string, unknown, { pointer: string; message: string }[]][] = [
    ['no name', {}, [{ pointer: '/name', message: 'is required' }]],
    [
      'an empty name',
      { name: '   ' },
      [{ pointer: '/name', message: 'must have 1 to 255 characters besides surrounding white space' }],
    ],
    [
      'a long name',
      { name: 'x'.repeat(256) },
      [{ pointer: '/name', message: 'must have 1 to 255 characters besides surrounding white space' }],
    ],
    ['a number as name', { name: 1 }, [{ pointer: '/name', message: 'must be string' }]],
    ['a NUL in the name', { name: 'a\0b' }, [{ pointer: '/name', message: 'must not contain the NUL character' }]],
    ['a null colour', { name: 'x', color: null }, [{ pointer: '/color', message: 'must be string' }]],
    [
      'a long description',
      { name: 'x', description: 'x'.repeat(4001) },
      [{ pointer: '/description', message: 'must have at most 4000 characters' }],
    ],
    ['a list', [], [{ pointer: '', message: 'must be object' }]],
    [
      'several at once',
      { name: 5, colour: '#fff', 'a/b~c': 1 },
      [
        { pointer: '/colour', message: 'is not a known field' },
        { pointer: '/a~1b~0c', message: 'is not a known field' },
        { pointer: '/name', message: 'must be string' },
      ],
    ],
  ];
  for (const [what, body, errors] of refused) {
    it(`POST refuses ${what}, naming the place, and stores nothing`, async () => {
      expectProblem(await scene.caller.post(path, body), 'validation_failed', {
        instance: path,
        errors: errors.map((error) => ({ in: 'body', ...error })),
      });
      expect((await scene.caller.get(path)).body).to.have.nested.property('page.total', 0);
    });
  }

  for (const color of ['red', '#12', '#12345', '#GGG', '#1234567', '', ' #fff', '#fff ']) {
    it(`POST refuses the colour ${JSON.stringify(color)}`, async () => {
      const answer = await scene.caller.post(path, { name: 'x', color });
      expect(answer.status).to.equal(400);
      expect(answer.body).to.have.nested.property('errors[0].pointer', '/color');
    });
  }

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

  it('PATCH refuses no field, an unknown field and a null colour', async () => {
    const { id } = await create();
    const instance = `${path}/${id}`;
    expectProblem(await scene.caller.patch(instance, {}), 'validation_failed', {
      instance,
      errors: [{ in: 'body', pointer: '', message: 'must have at least one supported field' }],
    });
    expectProblem(await scene.caller.patch(instance, { name: 'x', id }), 'validation_failed', {
      instance,
      errors: [{ in: 'body', pointer: '/id', message: 'is not a known field' }],
    });
    expectProblem(await scene.caller.patch(instance, { color: null }), 'validation_failed', {
      instance,
      errors: [{ in: 'body', pointer: '/color', message: 'must be string' }],
    });
    expect((await scene.caller.get(instance)).headers.etag).to.equal('"1"');
  });

  it('If-Match guards PATCH and DELETE; If-None-Match saves a GET', async () => {
    const { id } = await create();
    const instance = `${path}/${id}`;
    const stale = { 'If-Match': '"2"' };
    expectProblem(await scene.caller.patch(instance, { name: 'y' }, stale), 'precondition_failed', { instance });
    expectProblem(await scene.caller.delete(instance, stale), 'precondition_failed', { instance });
    const same = await scene.caller.get(instance, { 'If-None-Match': '"1"' });
    expect([same.status, same.text, same.headers.etag]).to.deep.equal([304, '', '"1"']);
    expect((await scene.caller.patch(instance, { name: 'y' }, { 'If-Match': '"1"' })).status).to.equal(200);
    expect((await scene.caller.get(instance, { 'If-None-Match': '"1"' })).status).to.equal(200);
    expect((await scene.caller.delete(instance, { 'If-Match': '"2"' })).status).to.equal(204);
  });

  it('an absent or foreign environment is 404 for GET and PATCH and 204 for DELETE, and stays', async () => {
    const other = await buildScene(app);
    const foreign = ((await other.caller.post(path, { name: 'Theirs' })).body as Environment).id;
    for (const id of [randomUUID(), foreign, foreign.toUpperCase()]) {
      const instance = `${path}/${id}`;
      expectProblem(await scene.caller.get(instance), 'environment_not_found', { instance });
      expectProblem(await scene.caller.patch(instance, { name: 'Mine' }), 'environment_not_found', { instance });
      const deleted = await scene.caller.delete(instance);
      expect([deleted.status, deleted.text]).to.deep.equal([204, '']);
    }
    expect((await other.caller.get(`${path}/${foreign}`)).body).to.include({ name: 'Theirs' });
  });

  it('a path id that is not a UUID is 400', async () => {
    for (const id of ['1', 'not-a-uuid', '%00', '..%2f', `${randomUUID()}x`]) {
      const answer = await scene.caller.get(`${path}/${id}`);
      expectProblem(answer, 'validation_failed', {
        instance: `${path}/${id}`,
        errors: [{ in: 'path', pointer: 'id', message: 'must be a UUID' }],
      });
    }
  });

  it('DELETE twice is 204 twice', async () => {
    const { id } = await create();
    for (let round = 0; round < 2; round++) {
      const answer = await scene.caller.delete(`${path}/${id}`);
      expect([answer.status, answer.text]).to.deep.equal([204, '']);
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
    const read = async (query: string): Promise<Page> => {
      const answer = await scene.caller.get(`${path}?${query}`);
      expect(answer.status, answer.text).to.equal(200);
      return answer.body as Page;
    };
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

  it('refuses an unknown query parameter, a repeated one, and both cursors', async () => {
    expectProblem(await scene.caller.get(`${path}?sort=name`), 'validation_failed', {
      instance: path,
      errors: [{ in: 'query', pointer: 'sort', message: 'is not a known field' }],
    });
    expectProblem(await scene.caller.get(`${path}?size=1&size=2`), 'validation_failed', {
      instance: path,
      errors: [{ in: 'query', pointer: 'size', message: 'must be string' }],
    });
    await create();
    const { page } = (await scene.caller.get(path)).body as { page: { after: string } };
    expectProblem(await scene.caller.get(`${path}?after=${page.after}&before=${page.after}`), 'validation_failed', {
      instance: path,
      errors: [{ in: 'query', pointer: 'before', message: 'cannot be combined with after' }],
    });
  });
});
