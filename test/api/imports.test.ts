import { expect } from 'chai';
import { readDecisions } from '../../src/decisions/decisions.store.js';
import type { DecisionEntry } from '../../src/decisions/decisionIndex.js';
import { listVersionPage } from '../../src/decisions/decisionLists.js';
import { useApp } from '../support/app.js';
import { doubling } from '../support/models.js';
import { buildScene, documentOf, imported as importedInto, testDatabase } from '../support/scene.js';

const models = 600;

/** The statements of a piece of work, in their order. */
async function statementsOf(work: () => Promise<unknown>): Promise<string[]> {
  const statements: string[] = [];
  const note = ({ sql }: { sql: string }): void => void statements.push(sql);
  testDatabase().on('query', note);
  await work().finally(() => testDatabase().off('query', note));
  return statements;
}

describe('imports of many models', () => {
  const app = useApp();

  const keyOf = (n: number): string => `model-${String(n).padStart(4, '0')}.json`;
  const bring = (workspaceId: string, factorOf: (n: number) => number): Promise<unknown> => {
    const all = Array.from({ length: models }, (_, n) => [keyOf(n), doubling(factorOf(n))] as const);
    return importedInto(testDatabase(), workspaceId, Object.fromEntries(all));
  };
  const decisionsOf = async (workspaceId: string): Promise<DecisionEntry[]> => {
    const keys = Array.from({ length: models }, (_, n) => keyOf(n));
    const found = await readDecisions(testDatabase(), workspaceId, { keys, ids: [] });
    return found.sort((a, b) => (a.key < b.key ? -1 : 1));
  };
  const firstFactor = (n: number): number => n + 1;
  /** All but one have changed. */
  const secondFactor = (n: number): number => (n === 0 ? 1 : n + models);
  /** Those of the transaction that holds the workspace. */
  const holding = (statements: readonly string[]): string[] =>
    statements.slice(statements.findIndex((sql) => sql.startsWith('update `workspaces`')));
  const shape = ({ key, contentHash, faults, latestVersion }: DecisionEntry): object => ({
    key,
    contentHash,
    faults,
    latestVersion,
  });
  const imported = (factorOf: (n: number) => number, versionOf: (n: number) => number): object[] =>
    Array.from({ length: models }, (_, n) => ({
      key: keyOf(n),
      contentHash: documentOf(doubling(factorOf(n))).hash,
      faults: 0,
      latestVersion: versionOf(n),
    }));

  it('hold the workspace for some statements, however many rows there are', async () => {
    const { workspaceId } = await buildScene(app);
    const first = await statementsOf(() => bring(workspaceId, firstFactor));
    const before = await decisionsOf(workspaceId);
    const second = await statementsOf(() => bring(workspaceId, secondFactor));
    const after = await decisionsOf(workspaceId);
    for (const statements of [first, second]) {
      // The revision, what is protected, seven of contents, two of decisions, two of versions, four of audit entries, COMMIT.
      expect(holding(statements)).to.have.length.within(17, 18);
    }
    expect(before.map(shape)).to.deep.equal(imported(firstFactor, () => 1));
    expect(after.map(shape)).to.deep.equal(imported(secondFactor, (n) => (n === 0 ? 1 : 2)));
    expect(after.map(({ id, createdAt }) => [id, createdAt])).to.deep.equal(
      before.map(({ id, createdAt }) => [id, createdAt]),
    );
    expect(after.filter(({ updatedAt }, n) => updatedAt.getTime() !== before[n]?.updatedAt.getTime())).to.have.length(
      models - 1,
    );
    const ref = { workspaceId, decisionId: after.at(-1)!.id };
    const { data: versions } = await listVersionPage(testDatabase(), ref, { size: 9, after: null, before: null });
    expect(versions.map(({ version }) => version)).to.deep.equal([1, 2]);
    expect(versions[0]?.programId).to.not.equal(versions[1]?.programId);
  });
});
