import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { parseCheckpoint } from '../../../src/evidence/checkpoint.js';
import { idToBytes } from '../../../src/storage/ids.js';
import { useOwnApp } from '../../support/app.js';
import { bodyOf, expectProblem } from '../../support/asserts.js';
import { verdictIn, verdictWith, type CommandResult } from '../../support/cli.js';
import { eventually } from '../../support/eventually.js';
import { useFolder } from '../../support/folder.js';
import { call } from '../../support/http.js';
import { expressing } from '../../support/models.js';
import { remoteEnvironment } from '../../support/remote.js';
import { testDatabase, useScene } from '../../support/scene.js';

const trees = ['evidence_trees', 'evidence_leaves', 'evidence_nodes', 'evidence_heads'];

describe('a proof after a restore', () => {
  const folder = useFolder();
  const app = useOwnApp({ EVIDENCE_WITNESS: folder });
  const scene = useScene(app);
  let path: string;
  before(async () => {
    ({ path } = await scene.deployed('d.json', expressing({ y: 'x * 2' })));
  });

  const execute = async (x: number): Promise<string> =>
    (bodyOf(await scene.caller.post(path, { fact: { x } }), 201) as { id: string }).id;
  const proof = (id: string) => scene.caller.get(`/logic/executions/${id}/proof`);
  const proved = (id: string) => eventually(async () => (await proof(id)).status === 200);
  const verdict = (...args: string[]): Promise<CommandResult> =>
    verdictIn(
      { environment: remoteEnvironment(app, { ...scene.client, workspaceId: scene.workspaceId }), directory: folder },
      ...args,
    );
  const exported = async (id: string, file: string, ...more: string[]): Promise<void> => {
    const ran = await verdict('evidence', 'export', id, '-o', file, ...more);
    expect(ran.exit, ran.stderr).to.equal(0);
  };
  const verify = (...args: string[]): Promise<CommandResult> =>
    verdictIn({ environment: {}, directory: folder }, 'evidence', 'verify', ...args, '--json');
  const owned = (table: string) => testDatabase()(table).where('workspace_id', idToBytes(scene.workspaceId));
  const readiness = async (): Promise<object> => (await call(`${app.adminUrl}/readyz`)).body as object;

  it('is refused until a restart, after which it tells both sides; what was exported before still verifies', async () => {
    const early = await execute(1);
    await proved(early);
    await exported(early, 'early.json');
    const backup = await Promise.all(trees.map(async (table) => [table, (await owned(table)) as object[]] as const));
    const lost = await execute(2);
    await proved(lost);
    await exported(lost, 'lost.json');
    const { checkpoint } = JSON.parse(await readFile(join(folder, 'lost.json'), 'utf8')) as { checkpoint: string };
    const { size } = parseCheckpoint(checkpoint);
    const head = join(scene.workspaceId, `${String(size).padStart(16, '0')}.txt`);
    await eventually(async () => (await readdir(folder, { recursive: true })).includes(head));
    await owned('executions').where('id', idToBytes(lost)).delete();
    for (const [table, rows] of backup) {
      await owned(table).delete();
      if (rows.length > 0) await testDatabase()(table).insert(rows);
    }

    const problem = { instance: `/logic/executions/${early}/proof` };
    expectProblem(await proof(early), 'evidence_behind', problem);
    expect((await scene.caller.get('/logic/evidence/checkpoint')).body).to.include({ code: 'evidence_behind' });
    const late = await execute(3);
    await eventually(async () => 'evidence' in (await readiness()));
    expect(await readiness()).to.include({ status: 'ready', evidence: 'evidence_behind' });
    expect((await call(`${app.adminUrl}/metrics`)).text).to.match(/^verdict_evidence_behind_trees 1$/m);

    const restart = ['evidence', 'restart', '--workspace', scene.workspaceId, '--reason', 'The disk was full'];
    const restarted = await verdictWith({ EVIDENCE_WITNESS: folder }, ...restart);
    expect(restarted.exit, restarted.stderr).to.equal(0);
    await proved(late);
    await eventually(async () => !('evidence' in (await readiness())));
    for (const [id, file, recordIsBefore] of [
      [early, 'early-again.json', true],
      [late, 'late.json', false],
    ] as const) {
      await exported(id, file);
      for (const more of [[], ['--checkpoint', head]]) {
        const ran = await verify(file, ...more);
        expect(ran.exit, ran.stderr).to.equal(0);
        const { restarts, origin } = ran.json as { restarts: object[]; origin: string };
        expect(origin).to.match(/\/2$/);
        expect(restarts).to.have.length(1);
        expect(restarts[0]).to.deep.include({ reason: 'The disk was full', generation: 2, recordIsBefore });
        expect(restarts[0]).to.have.nested.property('lostHead.size', size);
        expect(restarts[0])
          .to.have.property('at')
          .that.matches(/^\d{4}-\d\d-\d\dT/);
      }
    }
    // A head of what was kept leads to the tree of now.
    const { checkpoint: kept } = JSON.parse(await readFile(join(folder, 'early.json'), 'utf8')) as {
      checkpoint: string;
    };
    await exported(late, 'linked.json', '--checkpoint', await written('kept.txt', kept));
    expect((await verify('linked.json', '--checkpoint', 'kept.txt')).exit).to.equal(0);
    for (const file of ['early.json', 'lost.json']) expect((await verify(file)).exit, file).to.equal(0);
    const told = await verdictIn({ environment: {}, directory: folder }, 'evidence', 'verify', 'late.json');
    expect(told.stdout).to.include('The disk was full').and.include('from after the restart');
  });

  async function written(name: string, text: string): Promise<string> {
    await writeFile(join(folder, name), text);
    return name;
  }
});
