import { expect } from 'chai';
import { defaultRunLimits, type Bundle } from '../../workers/protocol.js';
import { createModelWork } from '../../workers/models/index.js';
import { readNames } from '../../src/decisions/contents.store.js';
import { createFindDiagnostics } from '../../src/decisions/writing/checkContents.js';
import { createVersion } from '../../src/decisions/writing/oneDecision.js';
import type { DecisionResult } from '../../src/decisions/writing/planVersions.js';
import { Problem } from '../../src/errors.js';
import { newId } from '../../src/storage/ids.js';
import { testPrograms } from '../support/programs.js';
import { stopClock } from '../support/clock.js';
import { buildWorkspace, testActor, useStore } from '../support/factories.js';
import { calling, doubling, type Model } from '../support/models.js';
import { imported } from '../support/scene.js';

describe('programs of decisions', () => {
  const store = useStore();
  let workspaceId: string;
  beforeEach(async () => void (workspaceId = await buildWorkspace(store)));

  const bring = async (models: Readonly<Record<string, Model>>, workspace = workspaceId, save = true) => {
    const decisions = await imported(store.database, workspace, models, { save });
    return new Map(decisions.map((decision): [string, DecisionResult] => [decision.key, decision]));
  };
  const idOf = (results: ReadonlyMap<string, DecisionResult>, key: string): string => results.get(key)!.id;
  const codeOf = async (work: () => unknown): Promise<string> => {
    try {
      await work();
      return 'none';
    } catch (error) {
      return error instanceof Problem ? error.code : String(error);
    }
  };

  it('pin what a version could reach when it was saved', async () => {
    const id = idOf(await bring({ 'a.json': calling('./b'), 'b.json': doubling(2) }), 'a.json');
    await bring({ 'b.json': doubling(3) }, workspaceId, false);
    const programs = testPrograms(store.database);
    const pinned = await programs.programOf(workspaceId, id, 1);
    const working = await programs.programOf(workspaceId, id, 0);
    const textOf = async (programId: string): Promise<string[]> => {
      const { manifest, contents } = JSON.parse(await programs.bundle(workspaceId, programId)) as Bundle;
      expect(manifest.entries[0]?.links).to.deep.equal({ './b': 1 });
      return manifest.entries.map(({ content }) => contents[content] ?? '');
    };
    expect((await textOf(pinned.programId))[1]).to.include('x * 2');
    expect((await textOf(working.programId))[1]).to.include('x * 3');
  });

  it('are the same for the same contents in another workspace', async () => {
    const models = { 'a.json': calling('b.json'), 'b.json': doubling(2) };
    const other = await buildWorkspace(store);
    const [here, there] = [await bring(models), await bring(models, other)];
    const programs = testPrograms(store.database);
    expect(await programs.programOf(other, idOf(there, 'a.json'), 1)).to.have.property(
      'programId',
      (await programs.programOf(workspaceId, idOf(here, 'a.json'), 1)).programId,
    );
    expect(await codeOf(() => programs.programOf(other, idOf(here, 'a.json'), 1))).to.equal('decision_not_found');
    expect(await codeOf(() => programs.programOf(other, idOf(here, 'a.json'), 0))).to.equal('decision_not_found');
  });

  it('of cycles among decisions exist', async () => {
    const id = idOf(await bring({ a: calling('b'), b: calling('a') }), 'a');
    const programs = testPrograms(store.database);
    const { programId } = await programs.programOf(workspaceId, id, 1);
    const { manifest } = JSON.parse(await programs.bundle(workspaceId, programId)) as Bundle;
    expect(manifest.entries.map(({ links }) => links)).to.deep.equal([{ b: 1 }, { a: 0 }]);
  });

  it('of what is not there are refused, and found once they are there', async () => {
    const id = idOf(await bring({ a: doubling(2) }), 'a');
    const programs = testPrograms(store.database);
    expect(await codeOf(() => programs.programOf(workspaceId, id, 2))).to.equal('version_not_found');
    expect(await codeOf(() => programs.programOf(workspaceId, newId(), 1))).to.equal('decision_not_found');
    expect(await codeOf(() => programs.programOf(workspaceId, newId(), 0))).to.equal('decision_not_found');
    await bring({ a: doubling(3) });
    expect(await codeOf(() => programs.programOf(workspaceId, id, 2))).to.equal('none');
  });

  it('are at hand without a turn of the event loop, and follow a working copy within a second', async () => {
    const id = idOf(await bring({ a: doubling(2), b: calling('a') }), 'b');
    const programs = testPrograms(store.database);
    const clock = stopClock();
    const [version, working] = [
      await programs.programOf(workspaceId, id, 1),
      await programs.programOf(workspaceId, id, 0),
    ];
    expect(version.programId).to.equal(working.programId);
    expect(programs.programOf(workspaceId, id, 1)).to.equal(version);
    expect(programs.programOf(workspaceId, id, 0)).to.equal(working);
    await bring({ a: doubling(5) }, workspaceId, false);
    await clock.pass(1000);
    const later = await programs.programOf(workspaceId, id, 0);
    expect(later.programId).to.not.equal(working.programId);
    expect(programs.programOf(workspaceId, id, 0)).to.equal(later);
    expect(programs.programOf(workspaceId, id, 1)).to.equal(version);
    clock.release();
  });

  it('many imports at once give each content one number, many saves each a number of their own, and no error', async () => {
    const factors = Array.from({ length: 12 }, (_, n) => n);
    const results = await Promise.all(factors.map((n) => bring({ k: doubling(n), [`only${n}`]: doubling(n) })));
    const versions = results.map((result) => result.get('k')?.version ?? 0).sort((a, b) => a - b);
    expect(versions).to.deep.equal(factors.map((n) => n + 1));
    expect(new Set(results.map((result) => idOf(result, 'k'))).size).to.equal(1);
    const pool = createModelWork(defaultRunLimits);
    const editing = {
      ...{ database: store.database, maxModelBytes: Infinity, models: pool },
      find: createFindDiagnostics(pool),
      namesOf: (hashes: readonly string[]) => readNames(store.database, hashes),
    };
    const saved = { id: idOf(results[0]!, 'k'), message: null, ifMatch: undefined };
    const saves = await Promise.all(
      factors.map(() => createVersion(editing, { workspaceId, actor: testActor }, saved)),
    );
    const numbers = saves.map(({ version }) => version);
    expect(numbers.sort((a, b) => a - b)).to.deep.equal(factors.map((n) => n + 13));
  });
});
