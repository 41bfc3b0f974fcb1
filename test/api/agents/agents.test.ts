import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect } from 'chai';
import { useApp } from '../../support/app.js';
import { buildClient } from '../../support/factories.js';
import { approval, dmn } from '../../support/dmn.js';
import { deciding, expressing } from '../../support/models.js';
import { logicHeaders, testStore, useFreshScene } from '../../support/scene.js';
import { tokenOf } from '../../support/tokens.js';

interface Answer {
  readonly isError?: boolean;
  readonly content: readonly { readonly type: string; readonly text: string }[];
  readonly structuredContent?: unknown;
}

describe('agents', () => {
  const app = useApp();
  const scene = useFreshScene(app);
  let environmentId: string;
  let decisionId: string;
  let deploymentId: string;
  const open: Client[] = [];

  beforeEach(async () => {
    const model = expressing({ double: 'x * 2', same: 'x' });
    ({ environmentId, decisionId, deploymentId } = await scene.deployed('shop/discount.json', model));
  });
  afterEach(async () => {
    for (const client of open.splice(0)) await client.close();
  });

  /** An agent's program, which has a token. */
  async function connect(
    headers = logicHeaders(scene),
    versions: { versionNegotiation?: { mode: 'auto' | 'legacy' } } = {},
  ): Promise<Client> {
    const client = new Client({ name: 'agent', version: '1.0.0' }, versions);
    const url = new URL(`${app.baseUrl}/mcp/${environmentId}`);
    await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
    open.push(client);
    return client;
  }
  const use = async (client: Client, name: string, given: Record<string, unknown> = {}): Promise<Answer> =>
    (await client.callTool({ name, arguments: given })) as Answer;
  const read = ({ content }: Answer): Record<string, unknown> =>
    JSON.parse(content[0]?.text ?? '') as Record<string, unknown>;
  const namesOf = async (client: Client): Promise<string[]> => (await client.listTools()).tools.map(({ name }) => name);
  const send = (message: object) => scene.caller.post(`/mcp/${environmentId}`, message);
  const fixed = ['explain_execution', 'find_executions', 'validate_draft'];

  for (const mode of ['legacy', 'auto'] as const) {
    it(`are given what is deployed as tools, call one, and find its record (protocol: ${mode})`, async () => {
      const client = await connect(logicHeaders(scene), { versionNegotiation: { mode } });
      const { tools } = await client.listTools();
      expect(tools.map(({ name }) => name)).to.deep.equal([...fixed, 'shop_discount']);
      expect(tools[3]).to.deep.include({
        name: 'shop_discount',
        title: 'shop/discount.json',
        description: 'Executes the decision shop/discount.json, version 1. Calculation: gives double, same.',
        annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: false },
      });
      expect(tools[3]?.inputSchema)
        .to.deep.include({ type: 'object', required: ['x'] })
        .and.to.have.nested.property('properties.x');
      expect(tools[3]?.outputSchema).to.deep.include({ type: 'object', required: ['executionId', 'status'] });

      const answer = await use(client, 'shop_discount', { x: 21 });
      const { executionId, ...rest } = answer.structuredContent as Record<string, unknown>;
      expect(rest).to.deep.equal({ status: 'COMPLETED', result: { double: 42, same: 21 } });
      expect(read(answer)).to.deep.equal(answer.structuredContent);
      const { body } = await scene.caller.get(`/logic/executions/${String(executionId)}`);
      expect(body).to.deep.include({ environmentId, decisionId, deploymentId, fact: { x: 21 }, status: 'COMPLETED' });

      const found = read(await use(client, 'find_executions', { status: 'COMPLETED', size: 1 }));
      expect((found['data'] as { id: string }[]).map(({ id }) => id)).to.deep.equal([executionId]);
      const explained = read(await use(client, 'explain_execution', { executionId }));
      expect(explained).to.deep.include({ executionId, exact: true, reasons: [], result: { double: 42, same: 21 } });
    });
  }

  it('are told in words what a decision is about, and which fields it reads: null is what they do not know', async () => {
    const rows = [{ _id: 'a', age: '>= 18', size: '', fee: '1' }];
    const table = { ...deciding(rows), description: 'What a stay in the shelter costs' };
    await scene.deploy(await scene.decision('fees.json', table), environmentId, 1);
    const words = approval
      .replace('name="Amount">', 'name="Amount"><description>In euros, with interest</description>')
      .replace(
        '<decision id="letter" name="Letter">',
        '<decision id="letter" name="Letter"><question>What do we write?</question><allowedAnswers>a sentence</allowedAnswers>',
      );
    await scene.deploy(await scene.decision('letter.dmn', dmn(words)), environmentId, 1);
    const { tools } = await (await connect()).listTools();
    const [fees, letter] = ['fees', 'letter_dmn'].map((name) => tools.find((tool) => tool.name === name));
    expect(fees?.description).to.equal(
      'Executes the decision fees.json, version 1. What a stay in the shelter costs. Table: a table that gives fee by age, size.',
    );
    expect(fees?.inputSchema['required']).to.deep.equal(['age', 'size']);
    expect(fees?.inputSchema).to.have.nested.property('properties.age.type').that.deep.equals(['number', 'null']);
    expect((await use(open[0]!, 'fees', { age: 20, size: null })).structuredContent).to.deep.include({
      result: { fee: 1 },
    });
    expect(letter?.description).to.equal(
      'Executes the decision letter.dmn, version 1. Letter: What do we write? Answers: a sentence',
    );
    expect(letter?.inputSchema['required']).to.deep.equal(['Applicant Age', 'Amount']);
    expect(letter?.inputSchema)
      .to.have.nested.property('properties.Amount.description')
      .that.includes('In euros, with interest');
  });

  it('are asked for what a declared schema requires, and for nothing else', async () => {
    const model = expressing({ a: 'x' }) as { nodes: { type: string; content?: object }[] };
    const schema = { type: 'object', properties: { x: { type: 'number' }, y: { type: 'string' } }, required: ['x'] };
    model.nodes[0]!.content = { schema: JSON.stringify(schema) };
    await scene.deploy(await scene.decision('declared.json', model), environmentId, 1);
    const { tools } = await (await connect()).listTools();
    expect(tools.find(({ name }) => name === 'declared')?.inputSchema).to.deep.equal(schema);
  });

  it('read every digit of a number as text, and send every one', async () => {
    const message = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"shop_discount","arguments":{ "x": 12345678901234567890.12 }}}`;
    const answer = await fetch(`${app.baseUrl}/mcp/${environmentId}`, {
      method: 'POST',
      headers: { ...logicHeaders(scene), 'Content-Type': 'application/json' },
      body: message,
    });
    const { result } = (await answer.json()) as { result: Answer };
    expect(result.content[0]?.text).to.contain('"same":12345678901234567890.12');
  });

  it('are told what went wrong: by the model, in a request, without a scope', async () => {
    await scene.deployed('fails.json', expressing({ y: 'number(x)' }), environmentId);
    const client = await connect();
    const failed = await use(client, 'fails', { x: 'abc' });
    expect(failed.isError).to.equal(true);
    expect(read(failed)).to.include({ status: 'FAILED' }).and.to.have.nested.property('result.error');
    const absent = await use(client, 'explain_execution', { executionId: decisionId });
    expect(absent.isError).to.equal(true);
    expect(read(absent)).to.include({ code: 'execution_not_found', status: 404 });
    const wrong = await use(client, 'find_executions', { status: 'MAYBE' });
    expect(read(wrong)).to.include({ code: 'validation_failed', status: 400 });
    const faults = read(await use(client, 'validate_draft', { key: 'a.json', content: expressing({ y: '1 +' }) }));
    expect(faults['faults']).to.have.length(1);
    const { body } = await send({ jsonrpc: '2.0', id: 7, method: 'tools/call', params: { name: 'nothing' } });
    expect(body).to.deep.equal({
      jsonrpc: '2.0',
      id: 7,
      error: { code: -32602, message: 'There is no tool nothing: ask for the list anew.' },
    });
  });

  it('find what was executed in the environment of their address, whichever they name', async () => {
    const other = await scene.environment();
    await scene.deploy(decisionId, other, 1);
    await scene.caller.post(`/logic/${other}/decisions/${decisionId}/executions`, { fact: { x: 1 } });
    const { executionId } = read(await use(await connect(), 'shop_discount', { x: 2 }));
    const found = read(await use(await connect(), 'find_executions', { environmentId: other }));
    expect((found['data'] as { id: string }[]).map(({ id }) => id)).to.deep.equal([executionId]);
  });

  it('have the tools of their scopes alone, whichever these are', async () => {
    const { tenantId, workspaceId } = scene;
    const given = { x: 1, executionId: decisionId, key: 'a.json', content: expressing({ a: '1' }) };
    for (const [scopes, own] of [
      ['execution:write', ['shop_discount']],
      ['executions:read', ['find_executions']],
      ['execution:read decision:read', ['explain_execution', 'validate_draft']],
    ] as const) {
      const client = await buildClient(testStore(), { tenantId, workspaces: [workspaceId], scopes });
      const token = await tokenOf(app.baseUrl, client);
      const agent = await connect({ ...logicHeaders(scene), Authorization: `Bearer ${token}` });
      expect(await namesOf(agent), scopes).to.have.members(own);
      for (const name of ['shop_discount', ...fixed]) {
        const answer = await use(agent, name, given);
        const isRefused = answer.isError === true && read(answer)['code'] === 'insufficient_scope';
        expect(isRefused, `${name} by ${scopes}`).to.equal(!own.some((each) => each === name));
      }
    }
  });

  it('see what is deployed now', async () => {
    const client = await connect();
    // Of the same name, once the characters that tools may not have are left out.
    const other = await scene.decision('shop discount.json', deciding([{ _id: 'a', age: '', size: '', fee: '1' }]));
    const added = await scene.deploy(other, environmentId, 1);
    const names = [decisionId, other].map((id) => `shop_discount-${id.slice(-12)}`);
    expect(await namesOf(client)).to.deep.equal([...fixed, ...names]);
    expect((await scene.caller.delete(`/logic/deployments/${added}`)).status).to.equal(204);
    expect(await namesOf(client)).to.deep.equal([...fixed, 'shop_discount']);
  });

  it('get a long result cut, which says so', async () => {
    await scene.deployed('long.json', expressing({ all: 'map([0..29999], #)' }), environmentId);
    const answer = await use(await connect(), 'long');
    expect(answer.structuredContent).to.have.all.keys('executionId', 'status');
    expect(answer.content[0]?.text).to.match(/\n… cut: 100000 of \d+ characters\.$/);
  });

  it('get a long result without its being parsed, whatever is in it', async () => {
    await scene.deployed('numbers.json', expressing({ all: 'map([0..150000], {n: #})' }), environmentId);
    const answer = await use(await connect(), 'numbers');
    const { executionId } = answer.structuredContent as { executionId: string };
    expect(answer.content[0]?.text).to.match(
      new RegExp(`^\\{"executionId":"${executionId}","status":"COMPLETED","result":\\{"all":\\[\\{"n":0\\}`),
    );
    const { status, body } = await scene.caller.get(`/logic/executions/${executionId}`);
    expect([status, (body as { status: string }).status]).to.deep.equal([200, 'COMPLETED']);
  });

  it('get lists of tools in pages, where schemas are long, and any fact where one is too long', async () => {
    const schema = (fields: number): object => ({
      type: 'object',
      properties: Object.fromEntries(
        Array.from({ length: fields }, (_, at) => [`field ${at}`, { type: 'string', description: 'd'.repeat(200) }]),
      ),
    });
    const declaring = (fields: number) => {
      const model = expressing({ a: 'x' }) as { nodes: { type: string; content?: object }[] };
      const nodes = model.nodes.map((node) =>
        node.type === 'inputNode' ? { ...node, content: { schema: JSON.stringify(schema(fields)) } } : node,
      );
      return { ...model, nodes };
    };
    for (const [name, fields] of [
      ['huge', 400],
      ...Array.from({ length: 9 }, (_, at) => [`long ${at}`, 150]),
    ] as const) {
      await scene.deployed(`${name}.json`, declaring(Number(fields)), environmentId);
    }
    interface Page {
      readonly tools: readonly { readonly name: string; readonly inputSchema: { readonly properties?: object } }[];
      readonly nextCursor?: string;
    }
    // The SDK's client would read all pages by itself.
    const pageAfter = async (cursor?: string): Promise<Page> =>
      ((await send({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: { cursor } })).body as { result: Page })
        .result;
    const pages = [await pageAfter()];
    expect(pages[0]?.nextCursor).to.be.a('string');
    for (let cursor = pages[0]?.nextCursor; cursor !== undefined; cursor = pages.at(-1)?.nextCursor) {
      pages.push(await pageAfter(cursor));
      expect(pages.length).to.be.below(12);
    }
    expect((await (await connect()).listTools()).tools).to.have.length(14);
    const tools = pages.flatMap((page) => page.tools).filter(({ name }) => !fixed.includes(name));
    expect(tools).to.have.length(11);
    expect(tools.find(({ name }) => name === 'huge')?.inputSchema).to.deep.equal({ type: 'object' });
    const long = tools.find(({ name }) => name === 'long_0')?.inputSchema;
    expect(Object.keys(long?.properties ?? {})).to.have.length(150);
    for (const page of pages) expect(JSON.stringify(page).length).to.be.below(400_000);
  });

  it('speak by POST alone: other methods are refused, notifications are taken, nothing is kept between messages', async () => {
    const got = await scene.caller.get(`/mcp/${environmentId}`);
    expect([got.status, got.headers['allow']]).to.deep.equal([405, 'POST']);
    const told = await send({ jsonrpc: '2.0', method: 'notifications/initialized' });
    expect([told.status, told.text]).to.deep.equal([202, '']);
    const begun = await send({
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'a', version: '1' } },
    });
    expect(begun.headers).to.not.have.property('mcp-session-id');
    expect((begun.body as { result: object }).result).to.deep.include({
      protocolVersion: '2025-11-25',
      capabilities: { tools: { listChanged: false } },
      serverInfo: { name: 'verdict', title: 'Verdict', version: '1.0.0' },
    });
    const unknown = await send({ jsonrpc: '2.0', id: 2, method: 'prompts/list' });
    expect(unknown.body).to.deep.equal({ jsonrpc: '2.0', id: 2, error: { code: -32601, message: 'Method not found' } });
  });

  it('cannot have a stream that stays open', async () => {
    const revision = '2026-07-28';
    const about = 'io.modelcontextprotocol';
    const _meta = {
      [`${about}/protocolVersion`]: revision,
      [`${about}/clientInfo`]: { name: 'a', version: '1' },
      [`${about}/clientCapabilities`]: {},
    };
    const method = 'subscriptions/listen';
    const message = { jsonrpc: '2.0', id: 1, method, params: { _meta, notifications: { toolsListChanged: true } } };
    const headers = { 'MCP-Protocol-Version': revision, 'Mcp-Method': method };
    const { status, body } = await scene.caller.post(`/mcp/${environmentId}`, message, headers);
    expect(status).to.equal(200);
    expect(body).to.deep.equal({
      jsonrpc: '2.0',
      id: 1,
      error: { code: -32603, message: 'Subscription limit reached' },
    });
  });
});
