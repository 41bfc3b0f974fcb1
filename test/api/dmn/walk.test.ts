import { tmpdir } from 'node:os';
import { expect } from 'chai';
import { useApp } from '../../support/app.js';
import { expectProblem } from '../../support/asserts.js';
import { runVerdict } from '../../support/cli.js';
import { approval, definitions, dmn } from '../../support/dmn.js';
import { eventually } from '../../support/eventually.js';
import { remoteEnvironment } from '../../support/remote.js';
import { useScene } from '../../support/scene.js';

const fact = { 'Applicant Age': 30, Amount: 500, Ignored: true };

describe('a DMN decision', () => {
  const app = useApp();
  const scene = useScene(app);
  let id: string;
  let environment: string;
  let path: string;

  before(async () => {
    const content = dmn(approval, [{ name: 'small', input: fact, output: { Letter: 'We say yes' } }]);
    const made = await scene.caller.post('/logic/decisions', { key: 'loans/approval.dmn', content });
    expect(made.status, made.text).to.equal(201);
    id = (made.body as { id: string }).id;
    expect((await scene.caller.post(`/logic/decisions/${id}/versions`, {})).status).to.equal(201);
    environment = await scene.environment();
    await scene.deploy(id, environment, 1);
    path = `/logic/${environment}/decisions/${id}/executions`;
  });

  it('is kept as its modeler wrote it, working copy and version', async () => {
    for (const version of [0, 1]) {
      const { body } = await scene.caller.get(`/logic/decisions/${id}/versions/${version}`);
      const { content } = body as { content: { xml: string; contentType: string } };
      expect(content.contentType).to.equal('application/dmn+xml');
      expect(content.xml).to.equal(approval);
    }
  });

  it('gives the value of each decision that no other requires', async () => {
    const ran = await scene.caller.post(path, { fact });
    expect(ran.body).to.deep.include({ status: 'COMPLETED', result: { Letter: 'We say yes' } });
  });

  it('gives what is selected, records the selection, and explains by it exactly', async () => {
    const ran = await scene.caller.post(path, { fact, select: ['Approval'] });
    expect(ran.body).to.deep.include({ status: 'COMPLETED', result: { Approval: 'yes' } });
    const at = `/logic/executions/${(ran.body as { id: string }).id}`;
    const record = await scene.caller.get(at);
    expect(record.body).to.deep.include({ select: ['Approval'], trace: null, error: null });
    const explained = (await scene.caller.get(`${at}/explanation`)).body as Record<string, unknown>;
    expect(explained).to.deep.include({ exact: true, reasons: [], result: { Approval: 'yes' } });
    expect(explained['trace']).to.have.property('approval');
  });

  it('refuses a selection of what it does not have, and records nothing', async () => {
    for (const target of [path, `/logic/decisions/${id}/evaluations`]) {
      const version = target === path ? {} : { version: 1 };
      const told = {
        Approvel: '. It has "Approval", "Letter".',
        approval: ', but the id of one: write its name, "Approval".',
      };
      for (const [name, rest] of Object.entries(told)) {
        const refused = await scene.caller.post(target, { ...version, fact, select: ['Approval', name] });
        const message = `"${name}" is no decision and no decision service of the model${rest}`;
        expectProblem(refused, 'selection_unknown', {
          instance: target,
          errors: [{ in: 'body', pointer: '/select/1', message }],
        });
      }
    }
  });

  it('shows in a trace which rules matched', async () => {
    const answer = await scene.caller.post(`/logic/decisions/${id}/evaluations`, { version: 1, fact });
    const { trace } = answer.body as { trace: Record<string, { name: string; output: unknown; traceData: unknown }> };
    expect(trace['approval']).to.deep.include({ name: 'Approval', output: 'yes' });
    expect(trace['approval']?.traceData).to.deep.equal({ hitPolicy: 'UNIQUE', rules: [{ index: 1, id: 'small' }] });
  });

  it('tells why a value is null: in the answer, the trace, the record and the explanation', async () => {
    const wrong = { 'Applicant Age': 'thirty', Amount: 500 };
    const answer = (await scene.caller.post(`/logic/decisions/${id}/evaluations`, { version: 1, fact: wrong }))
      .body as Record<string, unknown>;
    expect(answer).to.deep.include({ status: 'COMPLETED', result: { Letter: null } });
    const warnings = answer['warnings'] as Record<string, unknown>[];
    expect(warnings[0]).to.have.all.keys('nodeId', 'node', 'message', 'source', 'span');
    expect(warnings[0]).to.include({ nodeId: 'age', node: 'Applicant Age' });
    expect((answer['trace'] as Record<string, unknown>)['warnings']).to.deep.equal(warnings);
    const ran = (await scene.caller.post(path, { fact: wrong })).body as { id: string };
    const record = (await scene.caller.get(`/logic/executions/${ran.id}`)).body as Record<string, unknown>;
    expect(record['warnings']).to.deep.equal(warnings);
    const explained = (await scene.caller.get(`/logic/executions/${ran.id}/explanation`)).body as object;
    expect(explained).to.deep.include({ exact: true, warnings });
    const environment = remoteEnvironment(app, { ...scene.client, workspaceId: scene.workspaceId });
    const { stdout } = await runVerdict(['execution', 'explain', ran.id], { directory: tmpdir(), environment });
    expect(stdout).to.include(String(warnings[0]?.['message'])).and.not.include('undefined');
  });

  it('passes its own tests, and tells what it takes and gives', async () => {
    const tested = await scene.caller.post(`/logic/decisions/${id}/tests`, { version: 1 });
    expect(tested.body).to.deep.include({ passed: 1, failed: 0 });
    const { coverage } = tested.body as { coverage: { nodes: object[]; rules: object[] } };
    expect(coverage).to.deep.equal({
      nodes: ['approval', 'letter'].map((nodeId) => ({ nodeId, hits: 1 })),
      rules: ['young', 'small', 'large'].map((ruleId) => ({
        nodeId: 'approval',
        ruleId,
        hits: ruleId === 'small' ? 1 : 0,
      })),
    });
    const schema = (await scene.caller.get(`/logic/decisions/${id}/versions/1/schema`)).body as {
      input: { properties: object };
      output: { properties: object };
    };
    expect(Object.keys(schema.input.properties)).to.deep.equal(['Applicant Age', 'Amount']);
    expect(Object.keys(schema.output.properties)).to.deep.equal(['Letter']);
  });

  it('selects in a batch for each item, whose refusal is its own', async () => {
    const items = [{ fact }, { fact, select: ['Approval'] }, { fact, select: ['x'] }];
    const { body } = await scene.caller.post(`/logic/${environment}/decisions/${id}/batches`, { items });
    const results = (body as { items: { result: unknown; code?: string }[] }).items;
    expect(results.slice(0, 2).map(({ result }) => result)).to.deep.equal([
      { Letter: 'We say yes' },
      { Approval: 'yes' },
    ]);
    expect(results[2]?.code).to.equal('selection_unknown');
  });

  it('is replayed on another version by what was selected, and tells which rules were reached', async () => {
    const changed = approval.replace('<text>"no"</text>', '<text>"never"</text>');
    const made = await scene.caller.post('/logic/decisions', { key: 'replayed.dmn', content: dmn(approval) });
    const { id: replayed } = made.body as { id: string };
    await scene.caller.post(`/logic/decisions/${replayed}/versions`, {});
    await scene.deploy(replayed, environment, 1);
    for (const age of [10, 20, 30]) {
      const body = { fact: { 'Applicant Age': age, Amount: 10 }, select: ['Approval'] };
      await scene.caller.post(`/logic/${environment}/decisions/${replayed}/executions`, body);
    }
    await scene.caller.patch(`/logic/decisions/${replayed}`, { content: dmn(changed) });
    const begun = await scene.caller.post('/logic/replays', {
      environmentId: environment,
      decisionId: replayed,
      candidate: { version: 0 },
    });
    const { id: replayId } = begun.body as { id: string };
    const report = await eventually(async () => {
      const { body } = await scene.caller.get(`/logic/replays/${replayId}`);
      const { status, report } = body as { status: string; report: Record<string, unknown> };
      return status === 'COMPLETED' && report;
    });
    expect(report).to.deep.include({
      replayed: 3,
      identical: 2,
      changed: 1,
      fields: [{ pointer: '/Approval', count: 1 }],
    });
    expect((report['reach'] as { rules: object[] }).rules).to.deep.equal([
      { nodeId: 'approval', ruleId: 'young', hits: 1 },
      { nodeId: 'approval', ruleId: 'small', hits: 2 },
      { nodeId: 'approval', ruleId: 'large', hits: 0 },
    ]);
  });

  it('is told what is wrong with it, with line and column where it is no document of DMN', async () => {
    const check = async (xml: string) =>
      (
        (await scene.caller.post('/logic/validations', { decisions: [{ key: 'x.dmn', content: dmn(xml) }] })).body as {
          faults: object[];
        }
      ).faults;
    expect(await check(approval)).to.deep.equal([]);
    const [unclosed] = await check(approval.replace('</decisionTable>', ''));
    expect(unclosed).to.deep.include({ severity: 'error', key: 'x.dmn' });
    expect((unclosed as { message: string }).message).to.match(/line \d+, column \d+/i);
    const [doctype] = await check(approval.replace('<definitions', '<!DOCTYPE x [<!ENTITY a "b">]>\n<definitions'));
    expect((doctype as { message: string }).message).to.match(/line 1, column \d+/i);
    const [expression] = await check(approval.replace('"We say " + Approval', '1 +'));
    expect(expression).to.deep.include({ nodeId: 'letter', node: 'Letter', severity: 'warning' });
    expect((expression as { pointer: string }).pointer).to.equal('/definitions/decision[2]/literalExpression');
  });

  it('imports other decisions of the workspace by where they lie', async () => {
    const types = definitions(
      '  <decision id="limit" name="Limit"><variable name="Limit" typeRef="number"/><literalExpression><text>1000</text></literalExpression></decision>',
      'https://example.com/limits',
    );
    await scene.write('loans/shared/limits.dmn', dmn(types));
    const main =
      definitions(`  <import id="im" name="limits" namespace="https://example.com/limits" locationURI="shared/limits.dmn" importType="https://www.omg.org/spec/DMN/20230324/MODEL/"/>
  <decision id="twice" name="Twice"><variable name="Twice" typeRef="number"/>
    <informationRequirement id="q"><requiredDecision href="https://example.com/limits#limit"/></informationRequirement>
    <literalExpression><text>limits.Limit * 2</text></literalExpression></decision>`);
    const made = await scene.caller.post('/logic/decisions', { key: 'loans/twice.dmn', content: dmn(main) });
    const { id: twice, faults } = made.body as { id: string; faults: number };
    expect(faults, made.text).to.equal(0);
    expect((made.body as { warnings: number }).warnings).to.equal(0);
    const ran = await scene.caller.post(`/logic/decisions/${twice}/evaluations`, { version: 0, fact: {} });
    expect(ran.body).to.deep.include({ result: { Twice: 2000 } });
  });

  it('imports other decisions by their namespace alone, of several the nearest one', async () => {
    const limits = (limit: number): string =>
      definitions(
        `<decision id="limit" name="Limit"><variable name="Limit" typeRef="number"/><literalExpression><text>${limit}</text></literalExpression></decision>`,
        'urn:limits&amp;more',
      );
    const main =
      definitions(`<import id="im" name="limits" namespace="urn:limits&amp;more" importType="https://www.omg.org/spec/DMN/20230324/MODEL/"/>
  <decision id="twice" name="Twice"><variable name="Twice" typeRef="number"/>
    <informationRequirement id="q"><requiredDecision href="urn:limits&amp;more#limit"/></informationRequirement>
    <literalExpression><text>limits.Limit * 2</text></literalExpression></decision>`);
    const faultsOf = async (id: string): Promise<unknown> =>
      ((await scene.caller.get(`/logic/decisions/${id}`)).body as { faults: number }).faults;
    const resultOf = async (id: string): Promise<unknown> =>
      (await scene.caller.post(`/logic/decisions/${id}/evaluations`, { version: 0, fact: {} })).body;
    await scene.write('far/limits.dmn', dmn(limits(1)));
    const made = await scene.caller.post('/logic/decisions', { key: 'near/by/twice.dmn', content: dmn(main) });
    const { id: twice, faults } = made.body as { id: string; faults: number };
    expect(faults, made.text).to.equal(0);
    expect(await resultOf(twice)).to.deep.include({ result: { Twice: 2 } });
    await scene.write('near/limits.dmn', dmn(limits(10)));
    await scene.settled();
    expect(await resultOf(twice)).to.deep.include({ result: { Twice: 20 } });
    expect(await faultsOf(twice)).to.equal(0);
    // Both at once, into a workspace that has neither.
    const together = await scene.caller.post('/logic/imports', {
      decisions: [
        { key: 'one/twice.dmn', content: dmn(main.replaceAll('urn:limits', 'urn:others')) },
        { key: 'two/limits.dmn', content: dmn(limits(100).replaceAll('urn:limits', 'urn:others')) },
      ],
    });
    expect(together.status, together.text).to.equal(200);
  });
});
