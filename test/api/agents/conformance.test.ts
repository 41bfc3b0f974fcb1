import { execFile } from 'node:child_process';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { bootApp, type TestApp } from '../../support/app.js';
import { expressing } from '../../support/models.js';
import { buildScene, logicHeaders } from '../../support/scene.js';

/** The runner, as npm names it. It needs Node 22, so `make conformance-agents` alone sets it. */
const runner = process.env['CONFORMANCE_RUNNER'] ?? '';

/** Of its scenarios those that are about tools; the others want prompts, resources, sampling, or its own examples' contents. */
const scenarios = ['server-initialize', 'ping', 'tools-list', 'tools-call-simple-text', 'tools-call-error'];

describe('the protocol’s own conformance runner', function () {
  let app: TestApp;
  let proxy: Server;
  let url: string;

  before(async function () {
    if (runner === '') this.skip();
    app = await bootApp();
    const scene = await buildScene(app);
    const environmentId = await scene.environment();
    const models = { 'test_simple_text.json': '1', 'test_error_handling.json': "number(string(x) + 'x')" };
    for (const [key, expression] of Object.entries(models))
      await scene.deploy(await scene.decision(key, expressing({ a: expression })), environmentId, 1);
    // The runner has no token.
    proxy = createServer((asked, response) => {
      const { host: _, ...headers } = asked.headers;
      const options = { method: asked.method, headers: { ...headers, ...logicHeaders(scene) } };
      const onward = request(`${app.baseUrl}/mcp/${environmentId}`, options, (answer) => {
        response.writeHead(answer.statusCode ?? 500, answer.headers);
        answer.pipe(response);
      });
      asked.pipe(onward);
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/mcp`;
  });
  after(async () => {
    if (runner === '') return;
    proxy.closeAllConnections();
    proxy.close();
    await app.stop();
  });

  for (const scenario of scenarios) {
    it(`passes ${scenario}`, async () => {
      const args = ['--yes', runner, 'server', '--url', url, '--scenario', scenario];
      const { stdout } = await promisify(execFile)('npx', args);
      expect(stdout).to.contain('Passed: 1/1, 0 failed');
    });
  }
});
