import { expect } from 'chai';
import { operations } from '../../../src/cli/remote/operations.js';
import { bootApp, type TestApp } from '../../support/app.js';
import { call } from '../../support/http.js';
import type { OpenApi } from '../../support/openapi.js';

describe('what the command line asks of the service', () => {
  let app: TestApp;
  let paths: Record<string, Record<string, { operationId?: string }>>;
  before(async () => {
    app = await bootApp();
    ({ paths } = (await call(`${app.baseUrl}/openapi.json`)).body as OpenApi & { paths: typeof paths });
  });
  after(() => app.stop());

  for (const [name, { method, path }] of Object.entries(operations)) {
    it(`is an operation of openapi.json: ${name}`, () => {
      expect(paths[path]?.[method.toLowerCase()]?.operationId, `${method} ${path}`).to.equal(name);
    });
  }
});
