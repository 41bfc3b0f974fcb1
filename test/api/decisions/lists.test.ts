import { expect } from 'chai';
import type { Decision } from '../../../src/decisions/routes/decisions.schema.js';
import { useApp } from '../../support/app.js';
import { doubling } from '../../support/models.js';
import { buildScene, useScene } from '../../support/scene.js';
import { bodyOf } from '../../support/asserts.js';

const path = '/logic/decisions';

describe('lists of decisions', () => {
  const app = useApp();
  const scene = useScene(app);
  /** In the order of their making. */
  const all: Decision[] = [];
  before(async () => {
    for (const key of ['shop/b.json', 'shop/a.json', 'Shop/c.json', 'x_y', 'x%y', 'xzy']) {
      all.push((await scene.caller.post(path, { key, content: doubling(2) })).body as Decision);
    }
  });

  interface List {
    readonly data: Decision[];
    readonly page: { size: number; total: number; after: string | null; before: string | null };
  }
  const list = async (query: string): Promise<List> => bodyOf(await scene.caller.get(path + query)) as List;
  const keys = async (query: string): Promise<string[]> => (await list(query)).data.map(({ key }) => key);
  const made = all;
  const sorted = ['Shop/c.json', 'shop/a.json', 'shop/b.json', 'x%y', 'x_y', 'xzy'];

  it('are whole, with the revision of the workspace', async () => {
    const answer = await scene.caller.get(path);
    const { data, page } = answer.body as List;
    expect(data).to.deep.equal(made);
    expect(page).to.deep.include({ size: 6, total: 6 });
    expect(answer.headers['x-workspace-revision']).to.equal('6');
    const { caller } = await buildScene(app);
    const empty = await caller.get(`${path}?order=key`);
    expect(empty.body).to.deep.equal({ data: [], page: { size: 0, total: 0, after: null, before: null } });
    expect(empty.headers['x-workspace-revision']).to.equal('0');
  });

  it('are in the order of ids, either way, or of keys by code points', async () => {
    const inOrder = made.map(({ key }) => key);
    expect(await keys('?order=asc')).to.deep.equal(inOrder);
    expect(await keys('?order=desc')).to.deep.equal([...inOrder].reverse());
    expect(await keys('?order=key')).to.deep.equal(sorted);
  });

  it('are filtered by key and by the beginning of keys, letter by letter', async () => {
    expect(await keys('?key=shop/a.json')).to.deep.equal(['shop/a.json']);
    expect(await keys('?key=shop/')).to.deep.equal([]);
    expect(await keys('?prefix=shop/')).to.deep.equal(['shop/a.json', 'shop/b.json']);
    expect(await keys('?prefix=shop/&order=desc')).to.deep.equal(['shop/b.json', 'shop/a.json']);
    expect(await keys('?prefix=x_')).to.deep.equal(['x_y']);
    expect(await keys('?prefix=x%25')).to.deep.equal(['x%y']);
    expect(await keys('?prefix=')).to.deep.equal(sorted);
    expect((await list('?prefix=shop/')).page).to.deep.include({ size: 2, total: 6 });
  });

  for (const query of ['order=asc', 'order=desc', 'order=key', 'prefix=', 'prefix=&order=desc']) {
    it(`with ${query} are walked in pages, there and back`, async () => {
      const whole = await keys(`?${query}`);
      const there: string[] = [];
      let page = await list(`?${query}&size=4`);
      for (; page.data.length > 0; page = await list(`?${query}&size=4&after=${page.page.after!}`)) {
        there.push(...page.data.map(({ key }) => key));
      }
      expect(there).to.deep.equal(whole);
      const last = await list(`?${query}&size=6`);
      const back = await list(`?${query}&size=4&before=${last.page.after!}`);
      expect(back.data.map(({ key }) => key)).to.deep.equal(whole.slice(1, 5));
    });
  }

  it('refuse what is no query of theirs', async () => {
    const { page } = await list('?order=key');
    for (const query of [
      `after=${page.after!}`,
      'prefix=x&after=AA==',
      // Base64url, but of no text.
      'order=key&after=279d1650-a2af-48ac-8210-e4bc543a0c23',
    ]) {
      expect((await scene.caller.get(`${path}?${query}`)).status, query).to.equal(400);
    }
  });
});
