import { expect } from 'chai';
import { useApp } from '../../support/app.js';
import { verdictIn, type CommandResult } from '../../support/cli.js';
import { deciding } from '../../support/models.js';
import { remoteEnvironment } from '../../support/remote.js';
import { useFreshScene } from '../../support/scene.js';

describe('verdict decision analyse', () => {
  const app = useApp();
  const scene = useFreshScene(app);
  beforeEach(async () => {
    await scene.decision('fees.json', fees(18));
    await scene.write('fees.json', fees(10));
  });

  const fees = (limit: number) =>
    deciding([
      { _id: 'young', age: `< ${limit}`, size: '', fee: '1' },
      { _id: 'old', age: '>= 18', size: '', fee: '2' },
    ]);
  const run = (...args: string[]): Promise<CommandResult> => {
    const client = { ...scene.client, workspaceId: scene.workspaceId };
    return verdictIn(
      { environment: remoteEnvironment(app, client), directory: process.cwd() },
      ...['decision', 'analyse', 'fees.json', ...args],
    );
  };

  it('shows findings, and what differs from another version', async () => {
    const { exit, stdout, stderr } = await run('--against', '1');
    expect(exit, stderr).to.equal(0);
    expect(stdout)
      .to.match(/│ Table +│ gap +│ proved +│ +│ No row takes age in \[10..18\) +│/)
      .and.match(/│ age in \[10..18\) +│ {"age":10} +│ {"fee":1} +│ {} +│/)
      .and.include('rows and statements: 2 reachable, 0 unreachable, 0 unknown');
    const equal = await run('--version', '1', '--against', '1');
    expect(equal.stdout).to.equal(
      'no findings\nequal: both versions give the same results on every input\n' +
        'rows and statements: 2 reachable, 0 unreachable, 0 unknown\n',
    );
  });

  it('gates a pipeline by what is proved', async () => {
    expect((await run('--fail-on', 'gap,shadowed')).exit).to.equal(1);
    expect((await run('--fail-on', 'shadowed,overlap')).exit).to.equal(0);
    expect((await run('--version', '1', '--fail-on', 'gap')).exit).to.equal(0);
    const wrong = await run('--fail-on', 'gaps');
    expect([wrong.exit, wrong.stderr]).to.deep.include(2);
    expect(JSON.parse((await run('--json', '--fail-on', 'gap')).stdout)).to.have.property('tables');
  });
});
