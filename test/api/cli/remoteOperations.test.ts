import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'chai';
import { useApp } from '../../support/app.js';
import { verdictIn, type CommandResult } from '../../support/cli.js';
import { usedOperations } from '../../support/commands.js';
import { eventually } from '../../support/eventually.js';
import { protect } from '../../support/changes.js';
import { buildClient, type BuiltClient, useStore } from '../../support/factories.js';
import { call, callerOf } from '../../support/http.js';
import { calling, doubling } from '../../support/models.js';
import { record, type RecordedRequest } from '../../support/recordingProxy.js';
import { remoteEnvironment } from '../../support/remote.js';
import { plainFile } from '../../support/sheets.js';
import { tokenOf } from '../../support/tokens.js';

interface Described {
  readonly operationId?: string;
  readonly parameters?: readonly { readonly name?: string; readonly $ref?: string }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, unknown>> };
}

describe('what the command line asks of the service', function () {
  const app = useApp();
  const store = useStore();
  let client: BuiltClient;
  let folder: string;
  let recorder: Server;
  let document: { readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>> };
  const asked: RecordedRequest[] = [];

  before(async () => {
    document = (await call(`${app.baseUrl}/openapi.json`)).body as typeof document;
    client = await buildClient(store);
    folder = await mkdtemp(join(tmpdir(), 'verdict-asked-'));
    recorder = await record(app, asked);
    await everyCommand();
  });
  after(async () => {
    recorder.close();
    await rm(folder, { recursive: true });
  });

  const ending = async (exit: number, ...args: string[]): Promise<CommandResult> => {
    const { port } = recorder.address() as AddressInfo;
    const environment = remoteEnvironment({ baseUrl: `http://127.0.0.1:${port}` }, client);
    const ran = await verdictIn({ directory: folder, environment }, ...args);
    expect(ran.exit, `${args.join(' ')}: ${ran.stderr}`).to.equal(exit);
    return ran;
  };
  const run = (...args: string[]): Promise<CommandResult> => ending(0, ...args);
  const idOf = async (...args: string[]): Promise<string> => ((await run(...args, '--json')).json as { id: string }).id;
  const write = (name: string, model: object): Promise<void> => writeFile(join(folder, name), JSON.stringify(model));

  /** A life of two decisions, with every command that works by HTTP and all that these can say. */
  async function everyCommand(): Promise<void> {
    const why = ['--message', 'Why'];
    await write('a.json', { ...calling('b.json'), tests: [{ input: { x: 1 }, output: { y: 2 } }] });
    await write('b.json', doubling(2));
    await run('whoami');
    await run('push', '.', '--dry-run');
    await run('push', '.', '--save', ...why);
    // By its id, because a file has that key.
    await run('decision', 'test', await idOf('decision', 'show', 'a.json'));
    await write('b.json', doubling(3));
    await run('diff', '.');
    await run('decision', 'import', 'b.json', '--force');
    await run('decision', 'save', 'b.json', ...why);
    await run('decision', 'save', 'b.json');
    for (const command of ['list', 'validate']) await run('decision', command);
    await run('decision', 'list', '--prefix', 'a');
    await run('decision', 'show', 'a.json');
    await run('decision', 'copy', 'b.json', 'copy.json');
    await run('decision', 'move', 'copy.json', 'moved.json');
    await run('decision', 'delete', 'moved.json');
    await run('push', '.', '--ok-if-unchanged');
    await run('decision', 'diff', 'b.json', '1', '2');
    await run('decision', 'analyse', 'b.json', '--against', '1');
    const spare = await idOf('environment', 'create', '--name', 'Spare');
    await run('environment', 'delete', spare);
    const look = ['--description', 'Text', '--color', '#0EA5E9'];
    const id = await idOf('environment', 'create', '--name', 'Production', ...look);
    const there = ['--environment', id];
    await run('environment', 'update', id, '--name', 'Live', ...look);
    for (const command of ['list', 'show']) await run('environment', command, ...(command === 'show' ? [id] : []));
    await run('environment', 'hosts', 'set', 'api.example.com', '*.example.org', ...there);
    await run('environment', 'hosts', 'show', ...there);
    await run('environment', 'hosts', 'set', 'api.example.com');
    await run('environment', 'hosts', 'show');
    await access();
    await inquiries();
    await run('variable', 'set', 'V', '[1, 0.1]', ...there);
    await run('variable', 'set', 'S', 's3cr3t', '--secret', ...there);
    await run('variable', 'list', ...there);
    await run('variable', 'unset', 'V', ...there);
    const who = [...why, '--deployed-by', 'Pipeline'];
    await run('deployment', 'create', 'b.json', ...there, '--version', '1', '--name', 'First', ...who);
    await run('deployment', 'create', 'b.json', ...there);
    await run('deployment', 'rollback', 'b.json', ...there, ...who);
    await run('deployment', 'list', '--environment', 'Live', '--decision', 'b.json', '--size', '1');
    const filters = ['--decision', 'b.json', '--status', 'COMPLETED', '--reference', 'r', '--request', id];
    const period = ['--from', '2026-01-31', '--to', '2100-01-01', '--size', '5'];
    await run('execution', 'list', ...there, ...filters, '--deployment', id, '--version', '1', ...period);
    const execution = await executed(id);
    for (const command of ['show', 'explain']) await run('execution', command, execution);
    const caller = callerOf(app.baseUrl, await tokenOf(app.baseUrl, client), client.workspaceId);
    await eventually(async () => (await caller.get(`/logic/executions/${execution}/proof`)).status === 200);
    await run('evidence', 'export', execution, '-o', 'case.evidence');
    const { checkpoint } = JSON.parse(await readFile(join(folder, 'case.evidence'), 'utf8')) as { checkpoint: string };
    await writeFile(join(folder, 'head.txt'), checkpoint);
    await run('evidence', 'export', execution, '-o', 'case.evidence', '--checkpoint', 'head.txt');
    await run('evidence', 'findings');
    const erasure = await idOf('erasure', 'create', '--reference', 'nobody');
    await run('erasure', 'show', erasure);
    await run('erasure', 'list');
    await writeFile(join(folder, 'facts.ndjson'), '{"fact":{"x":1}}\n{"fact":{"x":2},"reference":"r"}\n');
    await run('batch', 'run', 'facts.ndjson', ...there, '--decision', 'b.json');
    await spreadsheets(there);
    await run('pull', '.');
    await compared(there);
    await changes();
    await callbacks();
    await rules(id);
    await run('audit', 'list', '--type', 'decision', '--action', 'decision.create', ...period);
    await run('audit', 'list', '--resource', id, '--principal', `client:${client.id}`);
    await run('pull', 'copy');
    await rm(join(folder, 'copy'), { recursive: true });
    await rm(join(folder, 'a.json'));
    await run('push', '.', '--prune');
  }

  /** Change requests of a protected environment. */
  async function changes(): Promise<void> {
    const environmentId = await idOf('environment', 'create', '--name', 'Protected');
    const caller = callerOf(app.baseUrl, await tokenOf(app.baseUrl, client), client.workspaceId);
    await protect(caller, environmentId, { authorMayApprove: true });
    const asking = ['--environment', environmentId, '--title', 'T', '--message', 'M'];
    const id = await idOf('change', 'create', ...asking, '--variable', 'A=1', '--unset', 'B', '--host', 'a.example');
    await run('change', 'list', '--state', 'OPEN', '--environment', environmentId, '--author', `client:${client.id}`);
    await run('change', 'show', id);
    for (const verdict of ['comment', 'approve']) await run('change', verdict, id, '--message', 'M');
    await run('change', 'apply', id);
    for (const end of ['reject', 'close'])
      await run('change', end, await idOf('change', 'create', ...asking, '--no-hosts'));
  }

  /** A table, tests and facts, in both formats. */
  async function spreadsheets(there: readonly string[]): Promise<void> {
    await writeFile(join(folder, 'plain.csv'), 'x,y\n1,2\n');
    await run('table', 'create', 'plain.csv', '--key', 'made.json', '--inputs', 'x', '--outputs', 'y');
    for (const file of ['Rules.xlsx', 'Rules.csv']) {
      await run('table', 'export', 'made.json', 'Rules', '--output', file);
      await run('table', 'import', 'made.json', 'Rules', file, '--dry-run');
    }
    for (const file of ['tests.xlsx', 'tests.csv']) {
      await run('tests', 'export', 'made.json', '--output', file);
      await run('tests', 'import', 'made.json', file, '--dry-run');
    }
    await writeFile(join(folder, 'facts.xlsx'), plainFile([['x'], ['1']]));
    await writeFile(join(folder, 'facts.csv'), 'x\n1\n');
    for (const file of ['facts.xlsx', 'facts.csv']) await run('batch', 'run', file, ...there, '--decision', 'b.json');
  }

  /** Clients, workspaces and policies, of which a client that may write them has less to give than an operator. */
  async function access(): Promise<void> {
    const made = ['--name', 'Made', '--scopes', 'pool:read audit:read', '--role', 'pool=pool:read'];
    const id = await idOf('client', 'create', ...made, '--workspace', client.workspaceId, '--expires', '2100-01-01');
    await run('client', 'list');
    const changes = ['--name', 'Other', '--scopes', 'pool:read', '--expires', '2099-01-01'];
    await run('client', 'update', id, ...changes, '--per-second', '5', '--burst', '10');
    await run('client', 'update', id, '--no-limit');
    await run('client', 'update', id, '--role', 'caller');
    for (const command of ['disable', 'enable', 'rotate-secret']) await run('client', command, id);
    for (const command of ['revoke', 'grant'])
      await run('client', command, '--client', id, '--workspace', client.workspaceId);
    await run('client', 'delete', id);
    await run('workspace', 'create', '--name', 'Made');
    await run('workspace', 'list');
    const there = ['--workspace', client.workspaceId];
    const policy = ['--effect', 'allow', '--scopes', 'pool:read', '--subject', 'bob', '--role', 'editor'];
    const policyId = await idOf('policy', 'set', ...there, ...policy, '--expires', '2100-01-01');
    await run('policy', 'list', ...there);
    await run('policy', 'remove', ...there, policyId);
  }

  async function inquiries(): Promise<void> {
    const asked = ['--prerequisite', 'CONSENT=https://consent.example/1'];
    const made = await run('inquiry', 'create', '--person', 'p', '--external-id', 'e', ...asked, '--json');
    const { id, prerequisites } = made.json as { id: string; prerequisites: { id: string }[] };
    await run('inquiry', 'list', '--size', '5', '--older-than', 'ffffffff-ffff-7fff-bfff-ffffffffffff');
    await run('inquiry', 'show', id);
    const done = await run('inquiry', 'complete', id, '--prerequisite', prerequisites[0]!.id, '--json');
    expect(done.json).to.include({ completed: true, authorizationCode: null });
    const code = await run('inquiry', 'complete', id, '--authorization-code', 'c', '--json');
    expect(code.json).to.include({ completed: true, authorizationCode: 'c' });
    await run('inquiry', 'delete', id);
  }

  /** What would change, and what changes on live executions. */
  async function compared(there: readonly string[]): Promise<void> {
    const how = ['--candidate', '1', '--ignore', '/a', '--tolerance', '0.5', '--measure', 'mean=result.y'];
    const replay = await idOf('replay', 'start', 'b.json', ...there, ...how, '--from', '2026-01-31', '--limit', '10');
    await run('replay', 'show', replay);
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString();
    const shadow = await idOf('shadow', 'start', 'b.json', ...there, ...how, '--expires', tomorrow, '--sample', '0.5');
    await run('shadow', 'list');
    await run('shadow', 'show', shadow);
    await run('shadow', 'end', shadow);
  }

  /** The callback of the workspace, whose receiver is not there. */
  async function callbacks(): Promise<void> {
    await run('callback', 'set', 'https://hooks.invalid/', '--kinds', 'version.saved');
    await run('callback', 'show');
    await run('callback', 'rotate');
    await ending(1, 'callback', 'test');
    await run('callback', 'remove');
  }

  /** How an environment is protected, and how long it keeps executions; what is counted of a decision, and what watches it. */
  async function rules(id: string): Promise<void> {
    const checks = ['--tests', '--analysis', '--replay', 'changed <= 0.5%', '--coverage', '0.9'];
    await run(
      'environment',
      'protection',
      'set',
      id,
      '--approvals',
      '2',
      ...checks,
      '--author-may-approve',
      '--override',
    );
    await run('environment', 'retention', 'set', id, '--days', '365');
    for (const words of ['protection show', 'protection remove', 'retention show'])
      await run('environment', ...words.split(' '), id);
    await run('decision', 'measured', 'set', 'b.json', '/y');
    const period = ['--from', '2026-01-31', '--to', '2026-02-01', '--step', 'day'];
    await run('decision', 'measured', 'show', 'b.json', '--environment', id, ...period);
    const what = ['--measure', '/y=refused', '--window', '24h', '--condition', 'drift > 0.2'];
    const monitor = await idOf('monitor', 'create', 'b.json', '--environment', id, '--name', 'Y', ...what);
    await run('monitor', 'list');
    for (const command of ['show', 'delete']) await run('monitor', command, monitor);
  }

  const executed = (environmentId: string): Promise<string> =>
    idOf('execution', 'run', 'b.json', '--environment', environmentId, '--fact', '{"x":1}', '--reference', 'r');

  const templateOf = (path: string): string | undefined =>
    Object.keys(document.paths)
      .sort((one, other) => one.split('{').length - other.split('{').length)
      .find((template) =>
        new RegExp(`^${template.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path),
      );

  const described = ({ method, path }: RecordedRequest): Described | undefined =>
    document.paths[templateOf(path) ?? '']?.[method.toLowerCase()];

  for (const name of usedOperations()) {
    it(`asks for ${name} where a command needs it`, () => {
      // A replay as small as this one is over before it can be cancelled; test/api/cli/replays has one that is not.
      if (name === 'deleteReplay') return;
      expect(asked.some((each) => described(each)?.operationId === name)).to.equal(true);
    });
  }

  it('has the bodies and the query parameters that openapi.json says', () => {
    const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false });
    ajv.addSchema(document, 'openapi');
    const logic = asked.filter(({ path }) => path.startsWith('/logic/'));
    expect(logic.filter(({ body }) => body !== '')).to.have.length.of.at.least(15);
    for (const each of logic) {
      const { method, path, query, type, body } = each;
      const operation = described(each);
      const names = (operation?.parameters ?? []).map(({ name, $ref }) => name ?? $ref?.split('/').at(-1));
      expect(names, `${method} ${path}`).to.include.members([...query]);
      if (operation?.requestBody === undefined) {
        expect(body, `${method} ${path}`).to.equal('');
        continue;
      }
      // Each line of a stream is an item, which the service checks one by one.
      if (type === 'application/x-ndjson') continue;
      expect(operation.requestBody.content, `${method} ${path}`).to.have.property(type!);
      if (type !== 'application/json') continue;
      const place = ['paths', templateOf(path) ?? '', method.toLowerCase(), 'requestBody', 'content', type, 'schema'];
      const pointer = place
        .map((step) => encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1')))
        .join('/');
      const validate = ajv.getSchema(`openapi#/${pointer}`);
      expect(validate?.(JSON.parse(body)), `${method} ${path} ${body}: ${ajv.errorsText(validate?.errors)}`).to.equal(
        true,
      );
    }
  });
});
