import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createClient } from '@hey-api/openapi-ts';
import { expect } from 'chai';
import { projectRoot } from '../../db/root.js';
import { bootApp, type TestApp } from '../support/app.js';
import { call } from '../support/http.js';
import { doubling } from '../support/models.js';
import { buildScene } from '../support/scene.js';

const run = promisify(execFile);

/** What a user of the generated client writes: the scenario of the service, from the token to the result. */
const scenario = `
import { createDeployment, createEnvironment, deleteDeployment, execute, getEnvironment, issueToken, listEnvironments } from './client/index';
import { client } from './client/client.gen';

const { BASE_URL = '', CLIENT = '', WORKSPACE = '', DECISION = '' } = process.env;
const headers = { 'X-Workspace-Id': WORKSPACE };

async function main() {
  client.setConfig({ baseUrl: BASE_URL, auth: CLIENT });
  const { data: token } = await issueToken({ body: { grant_type: 'client_credentials' }, throwOnError: true });
  client.setConfig({ auth: token.access_token });

  const { data: environment } = await createEnvironment({ headers, body: { name: 'Generated' }, throwOnError: true });
  const { data: deployment } = await createDeployment({
    headers,
    body: { decisionId: DECISION, version: 1, environmentId: environment.id, name: 'D', deployedBy: 'generated' },
    throwOnError: true,
  });
  const path = { environmentId: environment.id, decisionId: DECISION };
  const { data: execution, response } = await execute({ headers, path, body: { fact: { x: 4 } }, throwOnError: true });
  const { data: list } = await listEnvironments({ headers, query: { size: 1 }, throwOnError: true });
  const missing = await getEnvironment({ headers, path: { id: DECISION } });
  const linked = await deleteDeployment({ headers, path: { id: deployment.id } });
  console.log(JSON.stringify({
    token: token.token_type,
    status: execution.status,
    result: execution.result,
    http: response.status,
    page: list.page.size,
    names: list.data.map(({ name }) => name),
    missing: missing.error?.code,
    linked: linked.error?.code,
  }));
}
void main();
`;

describe('a REST client generated from openapi.json', () => {
  let app: TestApp;
  let folder: string;
  before(async () => {
    app = await bootApp();
    // Within the project, so that the compiler finds its types there.
    folder = mkdtempSync(join(projectRoot, 'dist', 'generated-'));
  });
  after(async () => {
    rmSync(folder, { recursive: true, force: true });
    await app.stop();
  });

  it('compiles under strict rules and runs the scenario', async () => {
    const { text } = await call(`${app.baseUrl}/openapi.json`);
    writeFileSync(join(folder, 'openapi.json'), text);
    writeFileSync(join(folder, 'package.json'), '{"type": "commonjs"}');
    writeFileSync(join(folder, 'scenario.ts'), scenario);
    await createClient({
      input: join(folder, 'openapi.json'),
      output: join(folder, 'client'),
      logs: { level: 'silent', file: false },
    });
    const compiler = join(projectRoot, 'node_modules', 'typescript', 'bin', 'tsc');
    const options =
      '--ignoreConfig --strict --skipLibCheck --target es2023 --module nodenext --types node --rootDir . --outDir out';
    await run(process.execPath, [compiler, ...options.split(' '), 'scenario.ts'], { cwd: folder }).catch(
      (error: unknown) => {
        throw new Error((error as { stdout: string }).stdout);
      },
    );

    const scene = await buildScene(app);
    const decisionId = await scene.decision('double.json', doubling(2));
    const { stdout } = await run(process.execPath, [join(folder, 'out', 'scenario.js')], {
      env: {
        PATH: process.env.PATH,
        BASE_URL: app.baseUrl,
        CLIENT: `${scene.client.id}:${scene.client.secret}`,
        WORKSPACE: scene.workspaceId,
        DECISION: decisionId,
      },
    });
    expect(JSON.parse(stdout)).to.deep.equal({
      token: 'Bearer',
      status: 'COMPLETED',
      result: { y: 8 },
      http: 201,
      page: 1,
      names: ['Generated'],
      missing: 'environment_not_found',
      linked: 'execution_history_exists',
    });
  });
});
