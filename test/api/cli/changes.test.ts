import { tmpdir } from 'node:os';
import { expect } from 'chai';
import type { ChangeRequest } from '../../../src/changes/changes.schema.js';
import { useApp } from '../../support/app.js';
import { protect } from '../../support/changes.js';
import { verdictIn, type CommandResult } from '../../support/cli.js';
import { buildClient } from '../../support/factories.js';
import { doubling } from '../../support/models.js';
import { remoteEnvironment } from '../../support/remote.js';
import { testStore, useFreshScene } from '../../support/scene.js';

describe('verdict change', () => {
  const app = useApp();
  const scene = useFreshScene(app);
  let environmentId: string;
  let approver: { readonly id: string; readonly secret: string };
  beforeEach(async () => {
    const { tenantId, workspaceId } = scene;
    approver = await buildClient(testStore(), { tenantId, workspaces: [workspaceId] });
    environmentId = await scene.environment();
    await scene.decision('fees.json', doubling(2));
    await protect(scene.caller, environmentId, { requires: { tests: true }, override: true });
  });

  const runAs = (client: { readonly id: string; readonly secret: string }, ...args: string[]): Promise<CommandResult> =>
    verdictIn(
      {
        environment: remoteEnvironment(app, { ...client, workspaceId: scene.workspaceId }),
        directory: tmpdir(),
        input: 'hush hush\n',
      },
      'change',
      ...args,
    );
  const run = (...args: string[]): Promise<CommandResult> => runAs(scene.client, ...args);
  const create = (...args: string[]): Promise<CommandResult> =>
    run('create', '--environment', environmentId, '--title', 'Spring rates', ...args);

  it('asks for a change as a pipeline, which a person approves, and applies it', async () => {
    const asked = await create('--deploy', 'fees.json', '--variable', 'FREE_FROM=60', '--secret', 'KEY', '--json');
    expect(asked.exit, asked.stderr).to.equal(0);
    const made = asked.json as ChangeRequest;
    expect(made.changes).to.deep.equal([
      { type: 'deploy', decisionId: made.changes[0]!.decisionId, version: 1, replaces: null },
      { type: 'variable', name: 'FREE_FROM', value: 60, secret: false, replaces: null },
      { type: 'variable', name: 'KEY', secret: true, replaces: null },
    ]);
    const other = await runAs(approver, 'approve', made.id, '--digest', '00'.repeat(32));
    expect([other.exit, other.stderr]).to.deep.include(1);
    const approved = await runAs(approver, 'approve', made.id, '--message', 'As agreed');
    expect(approved.exit, approved.stderr).to.equal(0);
    expect(approved.stdout).to.include('deploy fees.json, version 1').and.include('set KEY to (secret)');
    expect(approved.stdout).to.include('As agreed').and.include(`client:${approver.id}`).and.not.include('hush');
    const listed = await run('list', '--state', 'APPROVED', '--decision', 'fees.json', '--json');
    const { changeRequests } = listed.json as { changeRequests: ChangeRequest[] };
    expect(changeRequests.map(({ id }) => id)).to.deep.equal([made.id]);
    expect((await run('apply', made.id, '--override', 'Outage')).exit).to.equal(0);
    const shown = (await run('show', made.id, '--json')).json as ChangeRequest;
    expect(shown).to.include({ state: 'APPLIED', appliedBy: `client:${scene.client.id}` });
  });

  it('is approved by who may do nothing else, with ids where no names may be read', async () => {
    const { id } = (await create('--deploy', 'fees.json', '--json')).json as ChangeRequest;
    const { tenantId, workspaceId } = scene;
    const only = await buildClient(testStore(), {
      tenantId,
      workspaces: [workspaceId],
      scopes: 'change:read change:review',
    });
    const approved = await runAs(only, 'approve', id);
    expect(approved.exit, approved.stderr).to.equal(0);
    expect(approved.stdout).to.include('APPROVED').and.include(environmentId);
  });

  it('rejects, comments and closes', async () => {
    const [first, second] = [
      await create('--host', 'a.example', '--json'),
      await create('--variable', 'NEW=1', '--json'),
    ].map(({ json }) => json as ChangeRequest);
    expect((await runAs(approver, 'comment', first!.id, '--message', 'Why?')).stdout).to.include('Why?');
    expect((await runAs(approver, 'reject', first!.id, '--json')).json).to.include({ state: 'REJECTED' });
    expect((await run('close', second!.id, '--json')).json).to.include({ state: 'CLOSED' });
    expect((await run('close', second!.id)).exit).to.equal(1);
  });

  it('says of an approval whether it counts, and why not', async () => {
    const { id } = (await create('--deploy', 'fees.json', '--json')).json as ChangeRequest;
    expect((await run('comment', id, '--message', 'Look')).stdout).to.include('no: a comment');
    const own = await run('approve', id);
    expect(own.stdout).to.include('no: by who asked for it').and.not.include('yes');
    expect(own.stderr).to.equal('Your review will be kept, and does not count: it is by who asked for it.\n');
    const other = await runAs(approver, 'approve', id);
    expect(other.stdout).to.match(/approve +│ [^│]*client:[^│]+│ yes/);
    expect(other.stderr).to.equal('');
  });

  it('makes no request of what is in force, and ends with 3', async () => {
    const all = ['--deploy', 'fees.json', '--variable', 'FREE_FROM=60', '--host', 'a.example'];
    const { id } = (await create(...all, '--json')).json as ChangeRequest;
    expect((await run('apply', id, '--override', 'Outage')).exit).to.equal(0);
    for (const each of [all, ['--variable', 'FREE_FROM=60'], ['--unset', 'OLD']]) {
      expect(await create(...each)).to.include({ exit: 3, stdout: 'nothing to change: it is in force\n' });
    }
    expect((await create(...all, '--ok-if-unchanged')).exit).to.equal(0);
    const { changeRequests } = (await run('list', '--json')).json as { changeRequests: ChangeRequest[] };
    expect(changeRequests).to.have.length(1);
    for (const other of [
      ['--variable', 'FREE_FROM=61'],
      ['--no-hosts'],
      ['--deploy', 'fees.json', '--unset', 'FREE_FROM'],
    ]) {
      expect((await create(...other)).exit, other.join(' ')).to.equal(0);
    }
  });

  it('makes no second request of a decision and environment while one is open, names it, and ends with 3', async () => {
    const { id } = (await create('--deploy', 'fees.json', '--json')).json as ChangeRequest;
    const again = await create('--deploy', 'fees.json', '--variable', 'FREE_FROM=60');
    expect([again.exit, again.stdout]).to.deep.equal([
      3,
      `no request is made: "Spring rates" is open. Look at it: verdict change show ${id}. End it: verdict change close ${id}\n`,
    ]);
    expect((await create('--deploy', 'fees.json', '--json')).json).to.include({ id, state: 'OPEN' });
    expect((await create('--variable', 'FREE_FROM=60')).exit, 'of no decision').to.equal(0);
    expect((await run('close', id)).exit).to.equal(0);
    expect((await create('--deploy', 'fees.json')).exit, 'once it has ended').to.equal(0);
  });

  it('says that an open request may be overlooked, where the client may not read requests', async () => {
    const { tenantId, workspaceId } = scene;
    const scopes = 'decisions:read decision:read deployments:read environments:read environment:read change:write';
    const pipeline = await buildClient(testStore(), { tenantId, workspaces: [workspaceId], scopes });
    const asked = ['create', '--environment', environmentId, '--title', 'Again', '--deploy', 'fees.json'];
    const { exit, stderr } = await runAs(pipeline, ...asked);
    expect([exit, stderr]).to.deep.equal([
      0,
      'Whether the same is asked for already is not known: that needs the scope change:read.\n',
    ]);
  });

  it('says what is wrong with its line', async () => {
    expect((await create()).exit).to.equal(2);
    expect((await create('--variable', 'no name')).exit).to.equal(2);
    expect((await create('--deploy', 'absent.json')).exit).to.equal(1);
    expect((await create('--deploy', 'fees.json@9')).stderr).to.include('names no saved version');
  });
});
