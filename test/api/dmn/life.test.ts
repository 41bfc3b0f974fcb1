import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect } from 'chai';
import { useApp } from '../../support/app.js';
import { apply, ask, checked, protect, reread, review } from '../../support/changes.js';
import { verdictIn } from '../../support/cli.js';
import { definitions, dmn } from '../../support/dmn.js';
import { eventually } from '../../support/eventually.js';
import type { Model } from '../../support/models.js';
import { remoteEnvironment } from '../../support/remote.js';
import { replayed } from '../../support/replays.js';
import { logicHeaders, useFreshScene } from '../../support/scene.js';
import { bodyOf } from '../../support/asserts.js';

const fact = (Age: number, Amount: number): object => ({ Age, Amount });
const tests = [{ name: 'adult', input: fact(30, 500), output: { Decision: 'granted' } }];

/** What a decision of JSON does is tested with each of these; a table, a decision that reads another one of the workspace. */
const namespace = 'https://example.com/limits';
const kind = {
  key: 'loans/loan.dmn',
  other: 'loans/limits.dmn',
  named: 'limits.dmn',
  limit: (limit: number): Model =>
    dmn(
      definitions(
        `<decision id="limit" name="Limit"><variable name="Limit" typeRef="number"/><literalExpression><text>${limit}</text></literalExpression></decision>`,
        namespace,
      ),
    ),
  /** Grants adults amounts up to the limit of the other decision. @param age from which one is an adult */
  model: (age: number): Model =>
    dmn(
      definitions(`
  <import name="limits" namespace="${namespace}" locationURI="limits.dmn" importType="https://www.omg.org/spec/DMN/20230324/MODEL/"/>
  <inputData id="age" name="Age"><variable name="Age" typeRef="number"/></inputData>
  <inputData id="amount" name="Amount"><variable name="Amount" typeRef="number"/></inputData>
  <decision id="table" name="Adult"><variable name="Adult" typeRef="boolean"/>
    <informationRequirement><requiredInput href="#age"/></informationRequirement>
    <decisionTable><input><inputExpression typeRef="number"><text>Age</text></inputExpression></input><output name="Adult" typeRef="boolean"/>
      <rule id="minor"><inputEntry><text>&lt; ${age}</text></inputEntry><outputEntry><text>false</text></outputEntry></rule>
      <rule id="adult"><inputEntry><text>&gt;= ${age}</text></inputEntry><outputEntry><text>true</text></outputEntry></rule>
    </decisionTable></decision>
  <decision id="decision" name="Decision"><variable name="Decision" typeRef="string"/>
    <informationRequirement><requiredDecision href="#table"/></informationRequirement>
    <informationRequirement><requiredInput href="#amount"/></informationRequirement>
    <informationRequirement><requiredDecision href="${namespace}#limit"/></informationRequirement>
    <literalExpression><text>if Adult and Amount &lt;= limits.Limit then "granted" else "refused"</text></literalExpression></decision>`),
      tests,
    ),
};

describe('a decision of DMN, all the way', () => {
  const app = useApp();
  const scene = useFreshScene(app);
  let environmentId: string;
  let decisionId: string;

  const bring = (age: number, limit = 1000): Promise<string> =>
    scene.decision(kind.key, kind.model(age), { [kind.other]: kind.limit(limit) });
  beforeEach(async () => {
    environmentId = await scene.environment();
    decisionId = await bring(18);
    await scene.deploy(decisionId, environmentId, 1);
  });
  const get = async (path: string): Promise<Record<string, unknown>> =>
    (await scene.caller.get(path)).body as Record<string, unknown>;
  const execute = async (of: object, reference?: string): Promise<string> => {
    const path = `/logic/${environmentId}/decisions/${decisionId}/executions`;
    const headers = reference === undefined ? {} : { 'Execution-Reference': reference };
    return (bodyOf(await scene.caller.post(path, { fact: of }, headers), 201) as { id: string }).id;
  };

  it('answers a batch by its items, each of which is explained exactly', async () => {
    const items = [fact(30, 500), fact(17, 500), fact(30, 5000)].map((each) => ({ fact: each }));
    const path = `/logic/${environmentId}/decisions/${decisionId}/batches`;
    const { body } = await scene.caller.post(path, { items });
    const found = (body as { items: { id: string; result: { Decision: string } }[] }).items;
    expect(found.map(({ result }) => result.Decision)).to.deep.equal(['granted', 'refused', 'refused']);
    for (const { id } of found)
      expect(await get(`/logic/executions/${id}/explanation`)).to.deep.include({ exact: true, reasons: [] });
  });

  it('is replayed on another version, with outcomes that were told', async () => {
    const id = await execute(fact(19, 500), 'order-1');
    await execute(fact(30, 500));
    await scene.caller.put('/logic/outcomes', { outcomes: [{ executionId: id, name: 'fraud', value: true }] });
    await bring(21);
    const result = { pointer: '/Decision', equals: 'refused' };
    const request = { decisionId, environmentId, candidate: { version: 2 }, outcomes: ['fraud'], result };
    const { report } = await replayed(scene.caller, request);
    expect(report).to.deep.include({ replayed: 2, identical: 1, changed: 1 });
    expect(report.fields).to.deep.equal([{ pointer: '/Decision', count: 1 }]);
    expect(report).to.have.nested.property('outcomes[0].known', 1);
    expect(report).to.have.nested.property('outcomes[0].after.recall', 1);
  });

  it('is shadowed by another version', async () => {
    await bring(21);
    const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
    const made = await scene.caller.post('/logic/shadows', {
      decisionId,
      environmentId,
      version: 2,
      sample: 1,
      expiresAt,
    });
    expect(made.status, made.text).to.equal(201);
    const { id } = made.body as { id: string };
    await execute(fact(19, 500));
    await execute(fact(30, 500));
    const report = await eventually(async () => {
      const { report: now } = (await get(`/logic/shadows/${id}`)) as { report: { replayed: number } };
      return now.replayed === 2 && now;
    });
    expect(report).to.deep.include({ identical: 1, changed: 1 });
  });

  it('leaves evidence that runs again from the file alone, and not when a byte of what it reaches is changed', async () => {
    const id = await execute(fact(30, 500));
    await eventually(async () => (await scene.caller.get(`/logic/executions/${id}/proof`)).status === 200);
    const directory = await mkdtemp(join(tmpdir(), 'verdict-both-'));
    try {
      const environment = remoteEnvironment(app, { ...scene.client, workspaceId: scene.workspaceId });
      const exported = await verdictIn({ environment, directory }, 'evidence', 'export', id, '-o', 'e.json');
      expect(exported.exit, exported.stderr).to.equal(0);
      const text = await readFile(join(directory, 'e.json'), 'utf8');
      const { model } = JSON.parse(text) as { model: { key: string }[] };
      expect(model.map(({ key }) => key)).to.have.members([kind.key, kind.named]);
      const alone = await verdictIn({ environment: {}, directory }, 'evidence', 'verify', 'e.json');
      expect(alone.exit, alone.stderr + alone.stdout).to.equal(0);
      await writeFile(join(directory, 'f.json'), text.replaceAll('1000', '1001'));
      const forged = await verdictIn({ environment: {}, directory }, 'evidence', 'verify', 'f.json');
      expect(forged.exit).to.equal(1);
    } finally {
      await rm(directory, { recursive: true });
    }
  });

  it('is changed by a request with checks, whose approval ends when what it reaches changes', async () => {
    const requires = { tests: true, analysis: true, coverage: 0.5 };
    await protect(scene.caller, environmentId, { requires, authorMayApprove: true });
    await bring(21);
    const asked = await ask(scene.caller, environmentId, [{ type: 'deploy', decisionId, version: 2 }]);
    const made = await checked(scene.caller, asked);
    expect(made.checks.map(({ name: check, state }) => [check, state])).to.deep.equal([
      ['tests', 'PASSED'],
      ['analysis', 'PASSED'],
      ['coverage', 'PASSED'],
    ]);
    expect((await review(scene.caller, made)).body).to.include({ state: 'APPROVED' });
    // What is in force meanwhile is another version: the comparison that was approved is not what would happen.
    expect((await apply(scene.caller, made)).body).to.include({ state: 'APPLIED' });
    const next = await bring(21, 2000);
    expect(next).to.equal(decisionId);
    const other = await ask(scene.caller, environmentId, [{ type: 'deploy', decisionId, version: 3 }]);
    expect(other.digest).to.not.equal(made.digest);
    expect((await reread(scene.caller, other)).state).to.equal('OPEN');
  });

  it('is erased with all that its record told', async () => {
    const id = await execute({ ...fact(30, 500), Name: 'Marker of one person' }, 'person-7');
    const answer = await scene.caller.post('/logic/erasures', { reference: 'person-7' });
    expect(answer.status, answer.text).to.equal(202);
    await eventually(async () => (await get(`/logic/executions/${id}`))['erased'] === true);
    const explanation = await get(`/logic/executions/${id}/explanation`);
    expect(explanation).to.deep.include({ exact: false, reasons: ['erased'] });
    expect(JSON.stringify(await get(`/logic/executions/${id}`))).to.not.include('Marker');
  });

  it('is a tool of agents, with a schema of what it takes', async () => {
    const client = new Client({ name: 'agent', version: '1.0.0' });
    const url = new URL(`${app.baseUrl}/mcp/${environmentId}`);
    await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers: logicHeaders(scene) } }));
    try {
      const tool = (await client.listTools()).tools.find(({ title }) => title === kind.key);
      expect(tool?.inputSchema).to.have.nested.property('properties.Age');
      const answer = await client.callTool({ name: tool?.name ?? '', arguments: { Age: 30, Amount: 500 } });
      expect(answer.structuredContent).to.deep.include({ status: 'COMPLETED', result: { Decision: 'granted' } });
    } finally {
      await client.close();
    }
  });
});
