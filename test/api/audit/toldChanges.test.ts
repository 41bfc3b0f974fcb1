import { expect } from 'chai';
import { useApp } from '../../support/app.js';
import { all } from '../../support/changes.js';
import { deciding } from '../../support/models.js';
import { useFreshScene } from '../../support/scene.js';

interface Entry {
  readonly action: string;
  readonly after: { readonly changes?: unknown };
}

describe('the trail of a working copy', () => {
  const app = useApp();
  const scene = useFreshScene(app);

  it('tells how many cells of which tables a write changed, and no cell', async () => {
    const table = (...fees: string[]) => deciding(fees.map((fee, at) => ({ _id: `r${at}`, age: '', size: '', fee })));
    const id = await scene.decision('rates.json', table('1', '2', '3'));
    const content = table('1', '"a secret"', '4');
    const changed = await scene.caller.patch(`/logic/decisions/${id}`, { content });
    expect(changed.status, changed.text).to.equal(200);
    const entries = await all<Entry>(scene.caller, '/logic/audit-entries?action=decision.update');
    expect(entries.at(-1)?.after.changes).to.deep.equal([{ node: 'Table', cells: 2 }]);
    expect(JSON.stringify(entries)).to.not.include('a secret');
    // A name that changes is told by the key.
    await scene.caller.patch(`/logic/decisions/${id}`, { key: 'other.json' });
    const [, renamed] = await all<Entry>(scene.caller, '/logic/audit-entries?action=decision.update');
    expect(renamed?.after).to.not.have.property('changes');
  });
});
