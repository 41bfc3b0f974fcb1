import type { Knex } from 'knex';
import { expect } from 'chai';
import { pino } from 'pino';
import { ByteBudget } from '../../src/admission/byteBudget.js';
import { Owners } from '../../src/admission/owners.js';
import { checkTree, type Finding } from '../../src/evidence/check.js';
import { heldHeads } from '../../src/evidence/checkHeads.js';
import { writeFindings } from '../../src/evidence/checks/findings.store.js';
import { createRecords } from '../../src/evidence/records.js';
import { Sending } from '../../src/evidence/sending.js';
import { findTree, type Tree } from '../../src/evidence/trees.store.js';
import { createWitness } from '../../src/evidence/witness.js';
import { inTransaction } from '../../src/storage/database.js';
import { idToBytes, newId } from '../../src/storage/ids.js';
import { eventually } from '../support/eventually.js';
import { sequencerOn, writeEntries } from '../support/evidence.js';
import { useScratchStore } from '../support/factories.js';
import { useFreshFolder } from '../support/folder.js';

describe('heads of evidence', () => {
  const store = useScratchStore();
  const folder = useFreshFolder();
  let workspaceId: string;

  beforeEach(async () => {
    workspaceId = newId();
    await grown(3);
  });

  const tree = async (): Promise<Tree> => (await findTree(store.database, workspaceId))!;
  /** The tree grows by entries. */
  async function grown(count: number): Promise<void> {
    const size = ((await findTree(store.database, workspaceId))?.size ?? 0) + count;
    await writeEntries(store, workspaceId, { count, agoMs: 3_600_000 });
    const sequencer = sequencerOn(store);
    sequencer.start();
    // What has lost its leaf gets another one.
    await eventually(async () => ((await findTree(store.database, workspaceId))?.size ?? 0) >= size);
    await sequencer.stop();
  }

  it('are read a page at a time, in the order of their sizes, whoever holds them', async () => {
    const owner = { workspace_id: idToBytes(workspaceId), checkpoint: 'x', created_at: new Date() };
    await store.database('evidence_heads').where('workspace_id', owner.workspace_id).delete();
    const kept = Array.from({ length: 1200 }, (_, at) => ({ ...owner, size: 2 * at + 2 }));
    await store.database('evidence_heads').insert(kept);
    const witness = createWitness(folder);
    for (const [generation, size] of [
      [1, 7],
      [1, 2101],
      [2, 1001],
    ] as const)
      await witness({ workspaceId, generation, size, checkpoint: 'x' });
    let statements = 0;
    const note = ({ sql }: Knex.Sql): void => void (statements += sql.includes('evidence_heads') ? 1 : 0);
    store.database.on('query', note);
    const sizes: number[] = [];
    const held = { tree: { ...(await tree()), size: 2402, generation: 2 }, restarts: [], folder };
    let atFirst: number | undefined;
    for await (const { size } of heldHeads(store.database, held)) {
      atFirst ??= statements;
      sizes.push(size);
    }
    store.database.removeListener('query', note);
    const wanted = [...kept.map(({ size }) => size), 7, 1001, 2101, 2402];
    expect(sizes).to.deep.equal(wanted.sort((one, other) => one - other));
    expect(atFirst, 'pages read before the first head').to.equal(1);
  });

  it('and leaves that do not fit are told once, however the tree grows meanwhile', async () => {
    /** What a check finds that no check before has told. */
    async function told(): Promise<string[]> {
      const findings: Finding[] = [];
      const { database, encryption } = store;
      const parts = { database, encryption, records: createRecords(store), budget: new ByteBudget(2 ** 28), folder };
      const observer = { found: (finding: Finding) => void findings.push(finding), checked: () => undefined };
      await checkTree(parts, await tree(), observer);
      const added = await inTransaction(database, (transaction) => writeFindings(transaction, workspaceId, findings));
      return added.map(({ kind }) => kind);
    }
    await createWitness(folder)({ workspaceId, generation: 1, size: 900, checkpoint: 'x' });
    expect(await told()).to.deep.equal(['head']);
    await grown(2);
    expect(await told(), 'of the tree that was set back').to.deep.equal([]);
    await store
      .database('evidence_leaves')
      .where({ workspace_id: idToBytes(workspaceId), position: 1 })
      .delete();
    expect(await told()).to.deep.equal(['removed']);
    await grown(2);
    expect(await told(), 'of the leaf that is missing').to.deep.equal([]);
  });

  it('are sent also where the tree grows while it is looked whether there is anything to send', async () => {
    const sent: number[] = [];
    const witness = ({ size }: { readonly size: number }) => Promise.resolve(void sent.push(size));
    const sending = new Sending(store.database, witness, pino({ level: 'silent' }), {
      apartMs: 0,
      owners: new Owners(),
    });
    const send = async (): Promise<void> => {
      sending.send();
      await sending.settled();
    };
    await send();
    expect(sent).to.deep.equal([3]);
    // Told just after the tree was read, as it was before.
    store.database.once('query-response', () => sending.grown(workspaceId));
    await send();
    await grown(1);
    await send();
    expect(sent).to.deep.equal([3, 4]);
  });

  it('are waited for to the last one where another cannot be read', async () => {
    let reads = 0;
    const failing = new Proxy(store.database, {
      apply(target, self, args: [string]) {
        if (args[0] === 'evidence_trees' && ++reads === 3) throw new Error('MySQL is away');
        return Reflect.apply(target, self, args) as unknown;
      },
    });
    let isSent = false;
    const witness = () => new Promise<void>((resolve) => setTimeout(() => resolve(void (isSent = true)), 300));
    const sending = new Sending(failing, witness, pino({ level: 'silent' }), { apartMs: 0, owners: new Owners() });
    await store.database('evidence_trees').where('workspace_id', idToBytes(workspaceId)).update({ witnessed: 0 });
    sending.grown(workspaceId);
    sending.grown(newId());
    sending.send();
    await sending.settled();
    expect(reads).to.be.at.least(3);
    expect(isSent).to.equal(true);
  });

  it('are sent of tenants in turn: sixty workspaces of one are one neighbour', async () => {
    const [greedy, neighbour] = [newId(), newId()];
    const owners = new Owners();
    const sent: string[] = [];
    const witness = ({ workspaceId: id }: { readonly workspaceId: string }) =>
      Promise.resolve(void sent.push(owners.of(id).tenantId));
    const sending = new Sending(store.database, witness, pino({ level: 'silent' }), { apartMs: 0, owners });
    const [row] = (await store.database('evidence_trees').limit(1)) as object[];
    for (let n = 0; n < 61; n++) {
      const id = newId();
      owners.learn({ tenantId: n === 30 ? neighbour : greedy, workspaceId: id });
      await store.database('evidence_trees').insert({ ...row, workspace_id: idToBytes(id) });
      sending.grown(id);
    }
    sending.send();
    await sending.settled();
    expect(sent.indexOf(neighbour), 'heads before that of the neighbour').to.be.within(0, 16);
  });
});
