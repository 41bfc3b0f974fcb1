import { expect } from 'chai';
import type { ChangeRequest } from '../../../src/changes/changes.schema.js';
import { useApp } from '../../support/app.js';
import { bodyOf } from '../../support/asserts.js';
import { ask, protect, requestsPath } from '../../support/changes.js';
import { calling, deciding, doubling, type Model } from '../../support/models.js';
import { useFreshScene } from '../../support/scene.js';

const table = (fee: string): Model =>
  deciding([
    { _id: 'young', age: '< 18', size: '', fee: '5' },
    { _id: 'rest', age: '', size: '', fee },
  ]);

describe('the page to print of a change request', () => {
  const app = useApp();
  const scene = useFreshScene(app);
  const parts = { 'shop/rates.json': table('10'), 'shop/same.json': doubling(2) };
  let id: string;
  let environmentId: string;

  const save = async (): Promise<void> =>
    void bodyOf(await scene.caller.post(`/logic/decisions/${id}/versions`, {}), 201);
  /** The item of the list of changes, as it is read. */
  const paperOf = async ({ id: request }: Pick<ChangeRequest, 'id'>): Promise<string> => {
    const page = await scene.caller.get(`${requestsPath}/${request}`, { Accept: 'text/html' });
    expect(page.status, page.text).to.equal(200);
    const changes = page.text.split('<h2>')[1] ?? '';
    return changes
      .replaceAll(/<[^>]+>/g, ' ')
      .replaceAll(/\s+/g, ' ')
      .trim();
  };
  const asked = async (version: number): Promise<string> =>
    paperOf(await ask(scene.caller, environmentId, [{ type: 'deploy', decisionId: id, version }]));

  beforeEach(async () => {
    id = await scene.decision('shop/all.json', calling('./rates.json'), parts);
    environmentId = await scene.environment();
    await scene.deploy(id, environmentId, 1);
    await protect(scene.caller, environmentId);
  });

  it('tells what changed in the decisions that the version runs, in words', async () => {
    await scene.write('shop/rates.json', table('12'));
    await save();
    expect(await asked(2)).to.equal(
      'What changes Deploy version 2 of shop/all , in place of version 1. ' +
        'Its own content is the same. In shop/rates , which it runs: Table row 2 (asks for nothing): fee 10 → 12',
    );
  });

  it('names decisions that the version runs and the one before did not, and those that it does not run any more', async () => {
    await scene.write('shop/all.json', calling('./same.json'));
    await save();
    const told = await asked(2);
    expect(told).to.include('It runs shop/same , which the version before did not.');
    expect(told).to.include('It does not run shop/rates any more.');
  });

  it('says that nothing is otherwise where that is so', async () => {
    await save();
    expect(await asked(2)).to.equal(
      'What changes Deploy version 2 of shop/all , in place of version 1. Both have the same content.',
    );
  });
});
