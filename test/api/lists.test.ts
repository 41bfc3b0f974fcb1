import { expect } from 'chai';
import { environments } from '../../src/environments/environments.store.js';
import { buildWorkspace, useStore } from '../support/factories.js';

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
