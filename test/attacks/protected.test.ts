import { expect } from 'chai';
import { idToBytes } from '../../src/storage/ids.js';
import { protect } from '../support/changes.js';
import { doubling } from '../support/models.js';
import type { Described } from '../support/operations/operations.js';
import { plans } from '../support/operations/plans.js';
import type { Named } from '../support/operations/reach.js';
import type { World } from '../support/operations/world.js';
import { Matrix } from './tenancy/matrix.js';

/** Requests that change more than those of the matrix do, which are to leave a world as it is. */
const stronger: Readonly<Record<string, (world: World) => Named>> = {
  importModels: ({ mark }) => ({ body: { decisions: [{ key: `${mark}.json`, content: doubling(8) }] } }),
  updateDecision: ({ decisionId }) => ({ params: { id: decisionId }, body: { content: doubling(9) } }),
  deleteVariable: ({ environmentId }) => ({ params: { id: environmentId, name: 'MARK' } }),
  importTestsCsv: ({ decisionId }) => ({
    params: { id: decisionId },
    body: Buffer.from('name,input.x\none,1\n'),
    headers: { 'Content-Type': 'text/csv' },
  }),
  updateDeployment: ({ deploymentId }) => ({ params: { id: deploymentId }, body: { version: 0 } }),
};

/** They take the protection away, and are for whoever may do that; or they are how requests are applied. */
const allowed = ['setProtection', 'deleteProtection', 'applyChangeRequest'];

describe('what runs in an environment, by every operation that writes', () => {
  let matrix: Matrix;
  before(async () => void (matrix = await Matrix.open()));
  after(() => matrix.close());

  /** All that executions in the world's environment are made of. */
  async function inForce({ workspaceId, environmentId, decisionId }: World): Promise<string> {
    const { database } = matrix.store;
    const owner = { workspace_id: idToBytes(workspaceId), environment_id: idToBytes(environmentId) };
    const rows = [
      await database('routings').where(owner).orderBy('seq'),
      await database('variables').where(owner).orderBy('name'),
      await database('environments').select('id', 'http_hosts').where('id', owner.environment_id),
      // The working copy is deployed.
      await database('decisions').select('decision_key', 'content_hash').where('id', idToBytes(decisionId)),
    ];
    return JSON.stringify(rows);
  }

  /** Those that change something, with what they answer; and what the others answer. */
  async function walk(world: World): Promise<Map<string, { readonly changed: boolean; readonly answer: string }>> {
    const walked = new Map<string, { readonly changed: boolean; readonly answer: string }>();
    const as = { authorization: `Bearer ${world.token}`, workspaceId: world.workspaceId };
    const writing = [...matrix.operations].filter(([id, { method }]) => method !== 'GET' && !allowed.includes(id));
    // What takes away comes last, and before it what leaves nothing of a model.
    const rank = ([id, { method }]: [string, Described]): number => (method === 'DELETE' ? 2 : id in stronger ? 1 : 0);
    for (const [id, operation] of writing.sort((one, other) => rank(one) - rank(other))) {
      const before = await inForce(world);
      const { headers: all = {}, ...named } = stronger[id]?.(world) ?? plans[id]?.own(world) ?? {};
      const { 'If-Match': _, ...headers } = all;
      const { status, body } = await matrix.ask(operation, { ...named, headers }, as);
      const { code } = (body ?? {}) as { code?: string };
      walked.set(id, { changed: (await inForce(world)) !== before, answer: code ?? String(status) });
    }
    return walked;
  }

  it('changes as before where nobody protects it, and not at all where somebody does: each says why', async () => {
    const [open, closed] = [matrix.sibling, matrix.mine];
    for (const { caller, decisionId, environmentId } of [open, closed]) {
      const fields = { decisionId, environmentId, version: 0, name: 'D', deployedBy: 'me' };
      expect((await caller.post('/logic/deployments', fields)).status).to.equal(201);
    }
    await protect(closed.caller, closed.environmentId);
    const [unprotected, walked] = [await walk(open), await walk(closed)];
    const changing = [...unprotected].filter(([, { changed }]) => changed).map(([id]) => id);
    expect(changing).to.include.members([
      ...['createDeployment', 'setVariable', 'deleteVariable', 'setHosts', 'importModels', 'updateDecision'],
      ...['importTable', 'importTestsCsv'],
    ]);
    expect([...walked].filter(([, { changed }]) => changed)).to.deep.equal([]);
    const answers = changing.map((id) => `${id}: ${walked.get(id)?.answer}`);
    expect(answers).to.deep.equal(changing.map((id) => `${id}: approval_required`));
    for (const id of ['updateDeployment', 'deleteDeployment', 'deleteEnvironment']) {
      expect(walked.get(id)?.answer, id).to.equal('approval_required');
    }
  });
});
