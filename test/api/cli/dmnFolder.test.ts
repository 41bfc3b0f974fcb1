import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { useApp } from '../../support/app.js';
import { runVerdict } from '../../support/cli.js';
import { approval } from '../../support/dmn.js';
import { buildClient, useStore } from '../../support/factories.js';
import { useFreshFolder } from '../../support/folder.js';
import { remoteEnvironment } from '../../support/remote.js';

describe('documents of DMN in a folder', () => {
  const app = useApp();
  const store = useStore();
  const folder = useFreshFolder();
  let run: (...args: string[]) => ReturnType<typeof runVerdict>;

  beforeEach(async () => {
    const environment = remoteEnvironment(app, await buildClient(store));
    run = (...args) => runVerdict(args, { directory: folder, environment });
  });

  /** As a modeler writes it: with a mark of byte order, and line ends of another system. */
  const xml = `\uFEFF${approval.replaceAll('\n', '\r\n')}`;
  const tests = [{ input: { 'Applicant Age': 30, Amount: 500.0 }, output: { Letter: 'We say yes' } }];

  const inOrder = async (...args: string[]): Promise<string> => {
    const { code, stdout, stderr } = await run(...args);
    expect(code, stderr).to.equal(0);
    return stdout;
  };

  it('are pushed and pulled as they are, byte for byte, with the tests beside them', async () => {
    await mkdir(join(folder, 'models/loans'), { recursive: true });
    await writeFile(join(folder, 'models/loans/approval.dmn'), xml);
    await writeFile(join(folder, 'models/loans/approval.tests.json'), JSON.stringify(tests));
    await inOrder('push', 'models', '--save');
    expect(await inOrder('decision', 'list'))
      .to.include('loans/approval.dmn')
      .and.not.include('tests');
    expect(await inOrder('decision', 'test', 'models')).to.include('1 passed');

    await inOrder('pull', 'copy');
    expect(await readFile(join(folder, 'copy/loans/approval.dmn'), 'utf8')).to.equal(xml);
    expect(JSON.parse(await readFile(join(folder, 'copy/loans/approval.tests.json'), 'utf8'))).to.deep.equal(tests);
    expect((await run('push', 'copy', '--save')).code, 'nothing is new').to.equal(3);

    await rm(join(folder, 'models/loans/approval.tests.json'));
    await inOrder('push', 'models', '--save');
    await inOrder('pull', 'copy');
    expect(existsSync(join(folder, 'copy/loans/approval.tests.json')), 'tests that are no more').to.equal(false);
    expect(await inOrder('diff', 'copy')).to.equal('no differences\n');
  });

  /** Test cases of DMN's compatibility kit, in the form of its files. */
  const kit = (cases: string): string => `<?xml version="1.0" encoding="UTF-8"?>
<testCases xmlns="http://www.omg.org/spec/DMN/20160719/testcase" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
  <modelName>approval.dmn</modelName>${cases}</testCases>`;
  const kitCase = (id: string, age: number, decision: string, text: string): string => `
  <testCase id="${id}">
    <inputNode name="Applicant Age"><value xsi:type="xsd:decimal">${age}</value></inputNode>
    <inputNode name="Amount"><value xsi:type="xsd:decimal">500.00</value></inputNode>
    <resultNode name="${decision}" type="decision"><expected><value xsi:type="xsd:string">${text}</value></expected></resultNode>
  </testCase>`;

  it('are tested by the files of the compatibility kit beside them, each case by its name, after their own tests', async () => {
    await mkdir(join(folder, 'models/loans'), { recursive: true });
    await writeFile(join(folder, 'models/loans/approval.dmn'), xml);
    await writeFile(join(folder, 'models/loans/approval.tests.json'), JSON.stringify(tests));
    const cases = kitCase('young', 17, 'Approval', 'no') + kitCase('002', 30, 'Letter', 'We say no');
    await writeFile(join(folder, 'models/loans/approval-test-01.xml'), kit(cases));
    await writeFile(join(folder, 'models/pom.xml'), '<project/>');
    const { code, stdout, stderr } = await run('decision', 'test', 'models');
    expect(code, stderr).to.equal(1);
    expect(stdout).to.include('2 of 3 passed').and.to.include('approval-test-01.xml: 002');
    expect(stdout).to.include('We say no').and.to.include('We say yes');

    await inOrder('push', 'models', '--save');
    await inOrder('pull', 'copy');
    const written = await readFile(join(folder, 'copy/loans/approval.tests.json'), 'utf8');
    expect(JSON.parse(written), 'they are nobody’s own tests').to.deep.equal(tests);
  });

  it('say which file of the kit is broken, or tests what is not there', async () => {
    await writeFile(join(folder, 'approval-test-01.xml'), kit('<testCase id="x">'));
    await writeFile(join(folder, 'approval.dmn'), xml);
    const broken = await run('decision', 'test', '.');
    expect(broken.code).to.equal(1);
    expect(broken.stdout + broken.stderr).to.match(/approval-test-01\.xml cannot be read\. Line 3, column \d+/);
    await rm(join(folder, 'approval.dmn'));
    await writeFile(join(folder, 'approval-test-01.xml'), kit(''));
    const alone = await run('decision', 'test', '.');
    expect(alone.code).to.equal(1);
    expect(alone.stdout + alone.stderr).to.include('approval-test-01.xml tests "approval.dmn", which is not beside it');
  });

  it('are checked without a server, with the place of a fault', async () => {
    await writeFile(join(folder, 'broken.dmn'), approval.replace('</decisionTable>', ''));
    const { code, stdout, stderr } = await run('decision', 'validate', 'broken.dmn');
    expect(code).to.equal(1);
    expect(stdout + stderr).to.match(/broken\.dmn[^]*line 15, column \d+/i);
  });
});
