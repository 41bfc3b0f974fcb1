import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { useApp } from '../../support/app.js';
import { type CommandResult, verdictIn } from '../../support/cli.js';
import { useFolder, useFreshFolder } from '../../support/folder.js';
import { deciding, expressing } from '../../support/models.js';
import { remoteEnvironment } from '../../support/remote.js';
import { useFreshScene } from '../../support/scene.js';
import { cellsOf, fileOf, plainFile } from '../../support/sheets.js';

describe('spreadsheets by the command line', () => {
  const app = useApp();
  const scene = useFreshScene(app);
  const folder = useFreshFolder();

  const model = () =>
    deciding([
      { _id: 'young', age: '< 18', size: '', fee: '1' },
      { _id: 'old', age: '>= 18', size: '', fee: '2' },
    ]);
  const run = async (...args: string[]): Promise<CommandResult> => {
    const client = { ...scene.client, workspaceId: scene.workspaceId };
    return verdictIn({ environment: remoteEnvironment(app, client), directory: folder }, ...args);
  };
  const ok = async (...args: string[]): Promise<string> => {
    const { exit, stdout, stderr } = await run(...args);
    expect(exit, stderr).to.equal(0);
    return stdout;
  };

  it('bring a table out and in again, by its name', async () => {
    const id = await scene.write('fees.json', model());
    await ok('table', 'export', 'fees.json', 'Table');
    expect(await ok('table', 'import', 'fees.json', 'table', 'Table.xlsx')).to.equal('nothing changed\n');
    const { sheet, hidden } = cellsOf(await readFile(join(folder, 'Table.xlsx')));
    sheet[1]![3] = '7';
    await writeFile(join(folder, 'Table.xlsx'), fileOf({ sheet, hidden }));
    for (const dry of [['--dry-run'], []]) {
      const told = await ok('table', 'import', 'fees.json', 'Table', 'Table.xlsx', ...dry);
      expect(told).to.match(/│ 1 +│ young │ changed │ fee: 1 → 7 │/);
      expect(told).to.match(/\n1 cell of rows that are there\n/);
    }
    await ok('table', 'export', 'fees.json', 'Table', '--output', 'fees.csv');
    expect(await readFile(join(folder, 'fees.csv'), 'utf8')).to.equal(
      'age,size,fee,_description\n< 18,,7,\n>= 18,,2,\n',
    );
    const lost = await run('table', 'export', id, 'Nothing');
    expect([lost.exit, lost.stderr]).to.deep.equal([1, 'error: there is no table "Nothing". The model has "Table".\n']);
    expect((await run('table', 'export', id, 'Table', '--output', 'a.ods')).exit).to.equal(2);
  });

  it('make a decision of a plain sheet', async () => {
    await writeFile(join(folder, 'plain.csv'), 'Age,Country,Fee\n>= 18,Germany,1\n');
    const made = await ok('table', 'create', 'plain.csv', '--key', 'shop/plain.json', '--outputs', 'Fee');
    expect(made).to.match(/inputs +Age, Country\noutputs +Fee\n/);
    const again = await run('table', 'create', 'plain.csv', '--key', 'shop/plain.json');
    expect(again.exit).to.equal(1);
    expect(again.stderr).to.match(/there is a decision "shop\/plain.json" already/);
  });

  it('make nothing of a sheet with a title above its names, before they are told where these are', async () => {
    await writeFile(join(folder, 'titled.csv'), 'Fees 2026,,\nAge,Country,Fee\n>= 18,Germany,1\n');
    const refused = await run('table', 'create', 'titled.csv', '--key', 'titled.json');
    expect(refused.exit).to.equal(1);
    expect(refused.stderr).to.contain('row 1 is a title: row 2 names the columns. Begin there.');
    const made = await ok('table', 'create', 'titled.csv', '--key', 'titled.json', '--header', '2');
    expect(made).to.match(/inputs +Age, Country\noutputs +Fee\n/);
    const imported = await run('table', 'import', 'titled.json', 'Rules', 'titled.csv');
    expect(imported.exit).to.be.above(0);
    expect(await ok('table', 'import', 'titled.json', 'Rules', 'titled.csv', '--header', '2')).to.equal(
      'nothing changed\n',
    );
  });

  it('bring tests out and in again', async () => {
    await scene.write('fees.json', { ...model(), tests: [{ name: 'a', input: { age: 3 }, output: { fee: 1 } }] });
    await ok('tests', 'export', 'fees.json', '--output', 'tests.csv');
    expect(await readFile(join(folder, 'tests.csv'), 'utf8')).to.equal('name,input.age,output.fee\na,3,1\n');
    await writeFile(join(folder, 'tests.csv'), 'name,input.age,output.fee\na,3,1\nb,30,2\n');
    expect(await ok('tests', 'import', 'fees.json', 'tests.csv')).to.equal('1 change besides rows\n');
    await ok('tests', 'export', 'fees.json');
    expect(await ok('tests', 'import', 'fees.json', 'tests.xlsx')).to.equal('nothing changed\n');
  });

  it('execute the facts of an .xlsx, and keep the answers beside them', async () => {
    const { environmentId: environment } = await scene.deployed('fees.json', model());
    await writeFile(
      join(folder, 'facts.xlsx'),
      plainFile([
        ['age', 'reference'],
        ['3', 'one'],
        ['30', 'not a word'],
      ]),
    );
    const place = ['--environment', environment, '--decision', 'fees.json'];
    const { exit, stdout } = await run('batch', 'run', 'facts.xlsx', ...place, '--json');
    expect(exit).to.equal(1);
    expect(JSON.parse(stdout)).to.deep.equal({ completed: 1, failed: 1, output: 'facts.results.xlsx' });
    const { sheet } = cellsOf(await readFile(join(folder, 'facts.results.xlsx')));
    expect(sheet[0]).to.deep.equal(['age', 'reference', 'id', 'status', 'result.fee', 'result.error']);
    expect(sheet[1]!.toSpliced(2, 1)).to.deep.equal(['3', 'one', 'COMPLETED', '1']);
    expect((await run('batch', 'run', 'facts.xlsx', ...place, '--resume')).exit).to.equal(2);
  });
});

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
