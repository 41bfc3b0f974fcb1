import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { useApp } from '../../support/app.js';
import { verdictIn, type CommandResult } from '../../support/cli.js';
import { useFolder } from '../../support/folder.js';
import { expressing } from '../../support/models.js';
import { remoteEnvironment } from '../../support/remote.js';
import { useFreshScene } from '../../support/scene.js';

describe('verdict replay and shadow', () => {
  const app = useApp();
  const scene = useFreshScene(app);
  let environmentId: string;
  const directory = useFolder();
  beforeEach(async () => {
    const fees = await scene.deployed('fees.json', expressing({ fee: 'x' }));
    ({ environmentId } = fees);
    for (let x = 0; x < 4; x++) {
      const answer = await scene.caller.post(fees.path, { fact: { x } });
      expect(answer.status, answer.text).to.equal(201);
    }
    await scene.decision('fees.json', expressing({ fee: 'x == 3 ? 30 : x' }));
  });

  const start = (...args: string[]): Promise<CommandResult> => {
    const client = { ...scene.client, workspaceId: scene.workspaceId };
    const line = ['replay', 'start', 'fees.json', '--environment', environmentId, '--candidate', '2', ...args];
    return verdictIn({ environment: remoteEnvironment(app, client), directory }, ...line);
  };

  it('waits for the end, shows the transitions and the measures, and writes a page', async () => {
    const ran = await start('--measure', 'mean=result.fee', '--html', 'report.html');
    expect([ran.exit, ran.stderr.split('\n').length], ran.stderr).to.deep.equal([0, 2]);
    expect(ran.stdout)
      .to.match(/COMPLETED/)
      .and.match(/│ \/fee +│ [0-9a-f]{32} +│ [0-9a-f]{32} +│ 1 +│/);
    expect(ran.stdout).to.match(/│ mean=result.fee +│ 1.5 +│ 8.25 +│/);
    const page = await readFile(join(directory, 'report.html'), 'utf8');
    expect(page).to.include('1 of 4 executions (25 %)').and.include('<svg ');
  });

  it('holds results against what really happened', async () => {
    const { data } = (await scene.caller.get('/logic/executions')).body as { data: { id: string }[] };
    const outcomes = data.map(({ id }, x) => ({ executionId: id, name: 'loss', value: x > 1 }));
    await scene.caller.put('/logic/outcomes', { outcomes: outcomes.slice(0, 4) });
    const ran = await start('--outcome', 'loss', '--result', '/fee=3');
    expect(ran.exit, ran.stderr).to.equal(0);
    expect(ran.stdout)
      .to.match(/│ loss, of 4 \(0 unknown\) +│ before +│ after +│ count +│/)
      .and.match(/│ [0-9a-f]{32} +│ [0-9a-f]{32} +│ [0-9a-f]{32} +│ 1 +│/);
    expect(ran.stdout)
      .to.match(/│ precision +│ 1 +│ +│/)
      .and.match(/│ recall +│ 0.5 +│ 0 +│/);
    expect((await start('--result', 'fee')).exit).to.equal(2);
  });

  it('gates a pipeline by its exit code', async () => {
    expect((await start('--fail-on', 'changed > 25%')).exit).to.equal(0);
    const failed = await start('--fail-on', 'newlyFailed > 0', '--fail-on', 'changed > 0.5%');
    expect(failed.exit).to.equal(1);
    expect(failed.stderr).to.include('Failed: changed > 0.5%').and.not.include('newlyFailed');
    expect((await start('--fail-on', 'everything > 1')).exit).to.equal(2);
    expect((await start('--ignore', '/fee', '--fail-on', 'changed > 0')).exit).to.equal(0);
    expect((await start('--tolerance', '27', '--fail-on', 'changed > 0')).exit).to.equal(0);
  });
});
