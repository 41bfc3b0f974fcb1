import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createClient } from '@hey-api/openapi-ts';
import { expect } from 'chai';
import { projectRoot } from '../../db/root.js';
import { useApp } from '../support/app.js';
import { call, type Answer } from '../support/http.js';
import { doubling, type Model } from '../support/models.js';
import { useScene } from '../support/scene.js';

const run = promisify(execFile);

/** What users of the generated clients write: from the token to what was recorded. */
const scenario = `
import {
  compareVersions, createDecision, createDeployment, createEnvironment, createVersion, deleteDecision, deleteDeployment, evaluateDraft,
  execute, executeBatch, getDecision, getEnvironment, getExecution, getSchemas, getVersion, importModels, issueToken, listAuditEntries, listDecisions,
  listEnvironments, listVersions, listWorkspaces, setHosts, setVariable, testDecision, updateDecision, validateModels,
  type BatchAnswer, type BatchAnswerLines, type BatchItem, type BatchItemLines, type CsvText,
} from './client/index';
import { client } from './client/client.gen';

const { BASE_URL = '', CLIENT = '', WORKSPACE = '', MODEL = '', OTHER_MODEL = '' } = process.env;
const headers = { 'X-Workspace-Id': WORKSPACE };
const throwOnError = true;

async function main() {
  client.setConfig({ baseUrl: BASE_URL, auth: CLIENT });
  const { data: token } = await issueToken({ body: { grant_type: 'client_credentials' }, throwOnError });
  client.setConfig({ auth: token.access_token });
  const { data: workspaces } = await listWorkspaces({ throwOnError });

  // Make, check, change, save.
  const content = JSON.parse(MODEL);
  const changed = JSON.parse(OTHER_MODEL);
  const { data: validation } = await validateModels({ headers, body: { decisions: [{ key: 'life.json', content }] }, throwOnError });
  const { data: decision, response: made } = await createDecision({ headers, body: { key: 'life.json', content }, throwOnError });
  const id = decision.id;
  const taken = await createDecision({ headers, body: { key: 'life.json', content } });
  await createVersion({ headers, path: { id }, body: { message: 'First' }, throwOnError });
  const etag = made.headers.get('ETag') ?? '';
  const late = await updateDecision({ headers: { ...headers, 'If-Match': etag }, path: { id }, body: { content: changed } });
  await updateDecision({ headers, path: { id }, body: { content: changed }, throwOnError });
  const { data: draft } = await evaluateDraft({ headers, body: { content: changed, fact: { x: 1 } }, throwOnError });
  const { data: report } = await testDecision({ headers, path: { id }, body: { version: 0 }, throwOnError });
  const { data: differences } = await compareVersions({ headers, path: { id, from: 1, to: 0 }, throwOnError });
  const { data: imported } = await importModels({
    headers, body: { decisions: [{ key: 'life.json', content: changed }, { key: 'other.json', content }], save: true }, throwOnError,
  });
  const { data: schemas } = await getSchemas({ headers, path: { id, version: 2 }, throwOnError });

  // Configure, deploy, execute.
  const { data: environment } = await createEnvironment({ headers, body: { name: 'Generated' }, throwOnError });
  await setVariable({ headers, path: { id: environment.id, name: 'FEE' }, body: { value: 5 }, throwOnError });
  await setHosts({ headers, path: { id: environment.id }, body: { hosts: ['api.example'] }, throwOnError });
  const { data: deployment } = await createDeployment({
    headers,
    body: { decisionId: id, version: 1, environmentId: environment.id, name: 'D', deployedBy: 'generated' },
    throwOnError,
  });
  const path = { environmentId: environment.id, decisionId: id };
  const { data: execution, response } = await execute({ headers, path, body: { fact: { x: 4 } }, throwOnError });

  // Many facts, as lines and as a file: the document has a type for each, and the body goes as it is.
  const asItIs = { path, bodySerializer: null, parseAs: 'text', throwOnError } as const;
  const items: BatchItem[] = [{ fact: { x: 1 } }, { fact: { x: 2 } }];
  const lines: BatchItemLines = items.map((item) => JSON.stringify(item)).join('\\n');
  const asLines = { ...headers, 'Content-Type': 'application/x-ndjson' };
  const streamed = await executeBatch({ ...asItIs, headers: asLines, body: lines as never });
  const answered: BatchAnswerLines = streamed.data as never;
  const last = JSON.parse(answered.trim().split('\\n').at(-1) ?? '') as BatchAnswer;
  const csv: CsvText = 'x\\n5\\n6\\n7\\n';
  const asCsv = { ...headers, 'Content-Type': 'text/csv' };
  const sheet = await executeBatch({ ...asItIs, headers: asCsv, body: csv as never });
  const rows = (sheet.data as unknown as CsvText).trim().split(/\\r?\\n/);

  // Read.
  const { data: record } = await getExecution({ headers, path: { id: execution.id }, throwOnError });
  const { data: read } = await getDecision({ headers, path: { id }, throwOnError });
  const { data: version } = await getVersion({ headers, path: { id, version: 1 }, throwOnError });
  const { data: versions } = await listVersions({ headers, path: { id }, throwOnError });
  const { data: decisions } = await listDecisions({ headers, query: { prefix: 'o' }, throwOnError });
  const { data: trail } = await listAuditEntries({ headers, query: { order: 'desc', size: 1 }, throwOnError });
  const { data: list } = await listEnvironments({ headers, query: { size: 1 }, throwOnError });
  const missing = await getEnvironment({ headers, path: { id } });
  const linked = await deleteDeployment({ headers, path: { id: deployment.id } });
  const used = await deleteDecision({ headers, path: { id } });
  console.log(JSON.stringify({
    token: token.token_type,
    workspaces: workspaces.data.map(({ id }) => id === WORKSPACE),
    faults: validation.faults.length,
    taken: taken.error?.code,
    late: late.error?.code,
    draft: draft.result,
    passed: report.passed,
    changed: differences.nodes.map(({ change }) => change),
    imported: imported.decisions.map(({ key, version, change }) => [key, version, change]),
    inferred: schemas.inferred,
    status: execution.status,
    result: execution.result,
    http: response.status,
    recorded: [record.version, record.result],
    latest: read.latestVersion,
    version: [version.message, version.dependencies.length],
    versions: versions.data.map(({ version }) => version),
    decisions: decisions.data.map(({ key }) => key),
    trail: trail.data.map(({ action }) => action),
    page: list.page.size,
    names: list.data.map(({ name }) => name),
    missing: missing.error?.code,
    linked: linked.error?.code,
    used: used.error?.code,
    lines: 'summary' in last ? last.summary.completed : 0,
    rows: rows.length,
  }));
}
void main();
`;

/** The same for a client that was generated from the document of one deployed decision. */
const executing = `
import { execute, type Fact, type Result } from './decision/index';
import { client } from './decision/client.gen';

const { BASE_URL = '', TOKEN = '', WORKSPACE = '' } = process.env;

async function main() {
  client.setConfig({ baseUrl: BASE_URL, auth: TOKEN });
  const fact: Fact = { age: 70 };
  // @ts-expect-error -- the model compares an age with numbers
  const wrong: Fact = { age: 'old' };
  const { data } = await execute({ headers: { 'X-Workspace-Id': WORKSPACE }, body: { fact }, throwOnError: true });
  if ('error' in data.result) throw new Error(String(data.result.error));
  const result: Result = data.result;
  const fee: number | undefined = result.fee;
  console.log(JSON.stringify({ status: data.status, fee, wrong: typeof wrong.age }));
}
void main();
`;

/** A table whose input and output have types. */
const fees: Model = {
  nodes: [
    { id: 'in', type: 'inputNode', name: 'Request', content: {} },
    {
      id: 'fees',
      type: 'decisionTableNode',
      name: 'Fees',
      content: {
        hitPolicy: 'first',
        inputs: [{ id: 'age', name: 'Age', field: 'age' }],
        outputs: [{ id: 'fee', name: 'Fee', field: 'fee' }],
        rules: [
          { _id: 'senior', age: '>= 65', fee: '5.5' },
          { _id: 'others', age: '', fee: '10' },
        ],
      },
    },
    { id: 'out', type: 'outputNode', name: 'Response', content: {} },
  ],
  edges: [
    { id: 'a', sourceId: 'in', targetId: 'fees' },
    { id: 'b', sourceId: 'fees', targetId: 'out' },
  ],
};

describe('REST clients generated from openapi.json', () => {
  const app = useApp();
  const scene = useScene(app);
  let folder: string;
  before(async () => {
    // Within the project, so that the compiler finds its types there.
    folder = mkdtempSync(join(projectRoot, 'dist', 'generated-'));
    const { decisionId, environmentId } = await scene.deployed('fees.json', fees);
    writeFileSync(join(folder, 'package.json'), '{"type": "commonjs"}');
    await generate('client', await call(`${app.baseUrl}/openapi.json`));
    await generate('decision', await scene.caller.get(`/logic/${environmentId}/decisions/${decisionId}/openapi.json`));
    writeFileSync(join(folder, 'scenario.ts'), scenario);
    writeFileSync(join(folder, 'executing.ts'), executing);
    const compiler = join(projectRoot, 'node_modules', 'typescript', 'bin', 'tsc');
    const options =
      '--ignoreConfig --strict --skipLibCheck --target es2023 --module nodenext --types node --rootDir . --outDir out';
    const files = ['scenario.ts', 'executing.ts'];
    await run(process.execPath, [compiler, ...options.split(' '), ...files], { cwd: folder }).catch(
      (error: unknown) => {
        throw new Error((error as { stdout: string }).stdout);
      },
    );
  });
  after(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  async function generate(name: string, { status, text }: Answer): Promise<void> {
    expect(status, text).to.equal(200);
    const input = join(folder, `${name}.json`);
    writeFileSync(input, text);
    await createClient({ input, output: join(folder, name), logs: { level: 'silent', file: false } });
  }

  async function ran(script: string, settings: Readonly<Record<string, string>>): Promise<unknown> {
    const { stdout } = await run(process.execPath, [join(folder, 'out', script)], {
      env: { PATH: process.env.PATH, BASE_URL: app.baseUrl, WORKSPACE: scene.workspaceId, ...settings },
    });
    return JSON.parse(stdout);
  }

  it('compile under strict rules and drive the life of a decision', async () => {
    const tested = { ...doubling(3), tests: [{ input: { x: 2 }, output: { y: 6 } }] };
    const { client } = scene;
    const models = { MODEL: JSON.stringify(doubling(2)), OTHER_MODEL: JSON.stringify(tested) };
    expect(await ran('scenario.js', { CLIENT: `${client.id}:${client.secret}`, ...models })).to.deep.equal({
      token: 'Bearer',
      workspaces: [true],
      faults: 0,
      taken: 'key_taken',
      late: 'precondition_failed',
      draft: { y: 3 },
      passed: 1,
      changed: ['changed'],
      imported: [
        ['life.json', 2, 'updated'],
        ['other.json', 1, 'created'],
      ],
      inferred: true,
      status: 'COMPLETED',
      result: { y: 8 },
      http: 201,
      recorded: [1, { y: 8 }],
      latest: 2,
      version: ['First', 0],
      versions: [1, 2],
      decisions: ['other.json'],
      trail: ['deployment.create'],
      page: 1,
      names: ['Environment'],
      missing: 'environment_not_found',
      linked: 'execution_history_exists',
      used: 'decision_in_use',
      lines: 2,
      rows: 4,
    });
  });

  it('of a deployed decision execute it, its fact and its result typed', async () => {
    expect(await ran('executing.js', { TOKEN: scene.token })).to.deep.equal({
      status: 'COMPLETED',
      fee: 5.5,
      wrong: 'string',
    });
  });
});
