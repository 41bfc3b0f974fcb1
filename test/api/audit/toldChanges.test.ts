import { expect } from 'chai';
import { createModelWork, type ModelWork } from '../../../workers/models/index.js';
import { defaultRunLimits } from '../../../workers/protocol.js';
import { createFindDiagnostics } from '../../../src/decisions/writing/checkContents.js';
import { importDecisions } from '../../../src/decisions/writing/importDecisions.js';
import { ByteBudget } from '../../../src/admission/byteBudget.js';
import { useApp } from '../../support/app.js';
import { bodyOf } from '../../support/asserts.js';
import { all } from '../../support/changes.js';
import { eventually } from '../../support/eventually.js';
import { testActor } from '../../support/factories.js';
import { deciding, type Model } from '../../support/models.js';
import { documentOf, testDatabase, useFreshScene } from '../../support/scene.js';

interface Entry {
  readonly resource: { readonly key?: string };
  readonly after: { readonly changes?: unknown };
}

/** A write waits half a second for what it changes to be told. */
const longestMs = 2000;

describe('the trail of a working copy', () => {
  const app = useApp();
  const scene = useFreshScene(app);

  const table = (...fees: string[]): Model =>
    deciding(fees.map((fee, at) => ({ _id: `r${at}`, age: '', size: '', fee })));
  const updates = (): Promise<Entry[]> => all<Entry>(scene.caller, '/logic/audit-entries?action=decision.update');
  const imported = async (models: Readonly<Record<string, Model>>, save: boolean): Promise<void> => {
    const decisions = Object.entries(models).map(([key, content]) => ({ key, content }));
    bodyOf(await scene.caller.post('/logic/imports', { decisions, save }));
  };

  it('tells how many cells of which tables a write changed, and no cell', async () => {
    const id = await scene.decision('rates.json', table('1', '2', '3'));
    const content = table('1', '"a secret"', '4');
    const changed = await scene.caller.patch(`/logic/decisions/${id}`, { content });
    expect(changed.status, changed.text).to.equal(200);
    const entries = await updates();
    expect(entries.at(-1)?.after.changes).to.deep.equal([{ node: 'Table', cells: 2 }]);
    expect(JSON.stringify(entries)).to.not.include('a secret');
    // A name that changes is told by the key.
    await scene.caller.patch(`/logic/decisions/${id}`, { key: 'other.json' });
    const [, renamed] = await updates();
    expect(renamed?.after).to.not.have.property('changes');
  });

  it('counts no empty cell, and rows that came or went by themselves', async () => {
    const id = await scene.decision('rows.json', table('1', '2', '3'));
    for (const content of [table('1', '5', '3', '4', '6'), table('1')])
      await scene.caller.patch(`/logic/decisions/${id}`, { content });
    expect((await updates()).map(({ after }) => after.changes)).to.deep.equal([
      [{ node: 'Table', cells: 1, added: 2 }],
      [{ node: 'Table', cells: 0, removed: 4 }],
    ]);
  });

  for (const save of [false, true])
    it(`tells it of each decision of an import${save ? ' that makes versions' : ''}`, async () => {
      await imported({ 'a.json': table('1', '2', '3'), 'b.json': table('1', '2'), 'c.json': table('7') }, save);
      await imported({ 'a.json': table('1', '5', '3'), 'b.json': table('8', '9'), 'c.json': table('7') }, save);
      expect((await updates()).map(({ resource, after }) => [resource.key, after.changes])).to.deep.equal([
        ['a.json', [{ node: 'Table', cells: 1 }]],
        ['b.json', [{ node: 'Table', cells: 2 }]],
      ]);
    });

  it('tells it of the first fifty decisions of a large import', async () => {
    const many = (fee: string) =>
      Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`m${at}.json`, table(fee)]));
    await imported(many('1'), false);
    await imported(many('2'), false);
    const told = (await updates()).map(({ after }) => after.changes !== undefined);
    expect(told).to.have.length(60);
    expect(told.filter(Boolean)).to.have.length.within(1, 50);
  });

  it('keeps a write from waiting long for a thread that would tell it, which is charged for until it has ended', async () => {
    const budget = new ByteBudget(64 * 1024 * 1024);
    const written = async (fee: string, models: ModelWork): Promise<string> => {
      const reservation = budget.reserve(scene.workspaceId, 0);
      const { kind } = await importDecisions(testDatabase(), {
        ...{ workspaceId: scene.workspaceId, actor: testActor, save: false, force: false, reservation, models },
        find: createFindDiagnostics(createModelWork(defaultRunLimits)),
        candidates: [{ key: 'slow.json', document: documentOf(table(fee)) }],
      });
      reservation.release();
      return kind;
    };
    let end = (): void => undefined;
    const ended = new Promise<never>((_, reject) => (end = () => reject(new Error('stopped'))));
    expect(await written('1', createModelWork(defaultRunLimits))).to.equal('done');
    expect(budget.status().bytesInFlight).to.equal(0);
    const startedAt = performance.now();
    expect(await written('2', { work: () => ended })).to.equal('done');
    expect(performance.now() - startedAt).to.be.below(longestMs);
    expect((await updates()).map(({ after }) => after.changes)).to.deep.equal([undefined]);
    expect(budget.status().bytesInFlight).to.be.above(0);
    end();
    await eventually(() => budget.status().bytesInFlight === 0);
  });
});
