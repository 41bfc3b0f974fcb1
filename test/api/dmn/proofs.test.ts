import { tmpdir } from 'node:os';
import { expect } from 'chai';
import { useApp } from '../../support/app.js';
import { ask, checked, protect } from '../../support/changes.js';
import { runVerdict } from '../../support/cli.js';
import { approval, dmn } from '../../support/dmn.js';
import { tableDocument } from '../../support/dmnTables.js';
import { remoteEnvironment } from '../../support/remote.js';
import { useScene } from '../../support/scene.js';

interface Finding {
  readonly kind: string;
  readonly rules: readonly string[];
  readonly status: string;
  readonly witness: { readonly fact: Record<string, unknown> | null; readonly result: unknown } | null;
  readonly message: string;
}
interface Report {
  readonly tables: readonly { nodeId: string; node: string; hitPolicy: string; findings: Finding[] }[];
  readonly change: { status: string; regions: { when: string; before: unknown; after: unknown }[] } | null;
  readonly reach: Record<string, unknown>;
}

const rate = (cell: string): string =>
  tableDocument({
    hitPolicy: 'UNIQUE',
    inputs: [
      { name: 'Age', type: 'number' },
      { name: 'Kind', type: 'string', allowed: '"private", "business"' },
    ],
    rows: [
      ['< 18', '-', '"no"'],
      ['>= 18', '"private"', cell],
      ['[18..65]', '"business"', '"yes"'],
      ['> 60', '"business"', '"ask"'],
      ['-', '"club"', '"never"'],
    ],
  });

describe('what is proved of a DMN decision', () => {
  const app = useApp();
  const scene = useScene(app);
  let id: string;

  const analyse = async (body: object): Promise<Report> => {
    const { status, body: report, text } = await scene.caller.post('/logic/analyses', body);
    expect(status, text).to.equal(200);
    return report as Report;
  };

  before(async () => {
    const made = await scene.caller.post('/logic/decisions', { key: 'rate.dmn', content: dmn(rate('"yes"')) });
    ({ id } = made.body as { id: string });
    await scene.caller.post(`/logic/decisions/${id}/versions`, {});
    await scene.caller.patch(`/logic/decisions/${id}`, { content: dmn(rate('"perhaps"')) });
    await scene.caller.post(`/logic/decisions/${id}/versions`, {});
  });

  it('names the rules of a UNIQUE table that hold together, with a fact that the engine ran', async () => {
    const { tables } = await analyse({ decisionId: id, version: 1 });
    expect(tables.map(({ nodeId, node, hitPolicy }) => [nodeId, node, hitPolicy])).to.deep.equal([
      ['result', 'Result', 'UNIQUE'],
    ]);
    const findings = tables[0]?.findings ?? [];
    expect(findings.map(({ kind, rules, status }) => [kind, rules, status])).to.deep.equal([
      ['conflict', ['r4'], 'proved'],
      ['overlap', ['r2', 'r3'], 'proved'],
    ]);
    const [, overlap] = findings;
    expect(overlap?.message).to.equal('Rules 3 and 4 hold together where Age in (60..65] and Kind = "business"');
    expect(overlap?.witness?.result).to.deep.equal({ Result: null });
    expect(overlap?.witness?.fact).to.deep.include({ Kind: 'business' });
  });

  it('finds no gap where the rules take all that the types allow, and one where they do not', async () => {
    expect((await analyse({ content: dmn(approval), key: 'x.dmn' })).tables[0]?.findings).to.deep.equal([]);
    const open = approval.replace('&gt; 1000', '&gt; 1001');
    const [gap] = (await analyse({ content: dmn(open), key: 'x.dmn' })).tables[0]?.findings ?? [];
    expect(gap).to.deep.include({ kind: 'gap', status: 'proved', rules: [] });
    expect(gap?.message).to.equal('No rule takes Applicant Age >= 18 and Amount in (1000..1001]');
  });

  it('tells by meaning where two versions differ, with the results of both', async () => {
    const { change } = await analyse({ decisionId: id, version: 2, against: { version: 1 } });
    expect(change?.status).to.equal('different');
  });

  it('suggests tests that reach every rule that a fact can reach', async () => {
    const suggested = await scene.caller.post(`/logic/decisions/${id}/tests/suggestions`, { version: 1 });
    const { tests, unreachable } = suggested.body as { tests: { reaches: object[] }[]; unreachable: object[] };
    expect(unreachable).to.deep.equal([{ nodeId: 'result', ruleId: 'r4' }]);
    const reached = tests.flatMap(({ reaches }) => reaches as { ruleId: string }[]).map(({ ruleId }) => ruleId);
    expect(reached.sort()).to.deep.equal(['r0', 'r1', 'r2', 'r3']);
  });

  it('proves a property, refutes one by a fact, and says why another is unknown', async () => {
    const properties = [
      { name: 'minors', never: "fact.Age < 18 and result.Result == 'yes'" },
      { name: 'business', never: "fact.Kind == 'business' and result.Result == 'ask'" },
      { name: 'length', never: 'len(result.Result) > 9' },
    ];
    const asked = (await analyse({ decisionId: id, version: 1, properties })) as unknown as {
      properties: { status: string; reason: string | null }[];
    };
    expect(asked.properties.map(({ status, reason }) => [status, reason])).to.deep.equal([
      ['proved', null],
      ['refuted', null],
      ['unknown', 'it does more than compare fields of the fact and the result with constants'],
    ]);
  });

  it('fails the check of a change request where rules hold together that may not', async () => {
    const environmentId = await scene.environment();
    await protect(scene.caller, environmentId, { requires: { analysis: true } });
    const asked = await ask(scene.caller, environmentId, [{ type: 'deploy', decisionId: id, version: 1 }]);
    const { checks } = await checked(scene.caller, asked);
    expect(checks).to.deep.equal([
      {
        name: 'analysis',
        state: 'FAILED',
        detail: 'rate.dmn, version 1: proved: conflict in "Result", overlap in "Result".',
      },
    ]);
  });

  it('is shown by the command line, which fails on what it is asked to', async () => {
    const environment = remoteEnvironment(app, { ...scene.client, workspaceId: scene.workspaceId });
    const args = ['decision', 'analyse', 'rate.dmn', '--version', '1', '--fail-on', 'overlap'];
    const { stdout, code } = await runVerdict(args, { directory: tmpdir(), environment });
    expect(code).to.equal(1);
    expect(stdout).to.include('Rules 3 and 4 hold together');
  });

  it('is shown by the command line in words also where two versions differ in more than tables', async () => {
    const written = (text: string) => ({ content: dmn(approval.replace('"We say "', text)) });
    const made = await scene.caller.post('/logic/decisions', { key: 'letter.dmn', ...written('"We say "') });
    const { id: letter } = made.body as { id: string };
    await scene.caller.post(`/logic/decisions/${letter}/versions`, {});
    await scene.caller.patch(`/logic/decisions/${letter}`, written('"We answer "'));
    const environment = remoteEnvironment(app, { ...scene.client, workspaceId: scene.workspaceId });
    const args = ['decision', 'analyse', 'letter.dmn', '--against', '1'];
    const { stdout, stderr, code } = await runVerdict(args, { directory: tmpdir(), environment });
    expect(code, stderr).to.equal(0);
    expect(stdout).to.include('one fact; there may be more');
    expect(stdout).to.include(
      'not all of the change can be compared: “Letter” differs in more than the rules of a table',
    );
  });
});
