import { eventKinds } from '../../src/events/kinds.js';
import { Validator } from '@seriousme/openapi-schema-validator';
import { expect } from 'chai';
import { compose } from '../../src/compose.js';
import { palette } from '../../src/environments/environments.schema.js';
import { problems } from '../../src/errors.js';
import { createLog } from '../../src/log.js';
import { scopes } from '../../src/oauth/scopes.js';
import { useApp } from '../support/app.js';
import { call, type Answer } from '../support/http.js';
import { compareWith, type OpenApi } from '../support/openapi.js';
import { testConfig } from '../support/settings.js';

describe('GET /openapi.json', () => {
  const app = useApp();
  let answer: Answer;
  let document: OpenApi;
  before(async () => {
    answer = await call(`${app.baseUrl}/openapi.json`);
    document = answer.body as OpenApi;
  });

  it('is JSON with an entity tag, and 304 for who has it', async () => {
    expect(answer.status).to.equal(200);
    expect(answer.headers['content-type']).to.equal('application/json; charset=utf-8');
    const tag = answer.headers['etag'] ?? '';
    expect(tag).to.match(/^"[\w-]{43}"$/);
    const again = await call(`${app.baseUrl}/openapi.json`, { headers: { 'If-None-Match': tag } });
    expect(again).to.include({ status: 304, text: '' });
    expect((await call(`${app.baseUrl}/openapi.json`, { headers: { 'If-None-Match': '"x"' } })).status).to.equal(200);
  });

  it('is a valid OpenAPI 3.1 document', async () => {
    const result = await new Validator().validate(structuredClone(document));
    expect(result.errors ?? []).to.deep.equal([]);
    expect(result.valid).to.equal(true);
    expect(document['openapi']).to.match(/^3\.1\./);
  });

  it('has the events that a callback receives, each with a whole example', () => {
    const webhooks = document['webhooks'] as Record<string, { post: { operationId: string } }>;
    expect(Object.keys(webhooks)).to.deep.equal([
      ...['inquiry.updated', 'inquiry.completed', 'prerequisite.completed'],
      ...['notification.delivered', 'notification.failed'],
      ...eventKinds,
    ]);
    expect(JSON.stringify(webhooks)).to.include('webhook-signature').and.to.include('customer-4711');
  });

  it('has every route that is mounted but the console’s own session, and no other', async () => {
    const service = compose(testConfig(), createLog('silent'));
    const mounted = service.app.router.routes
      .filter(({ path }) => path !== '/console/session')
      .map(({ method, path }) => `${method} ${path}`);
    await service.close();
    const described = Object.entries(document.paths).flatMap(([path, operations]) =>
      Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(described).to.have.members(mounted);
    expect(described.length).to.be.at.least(18);
  });

  it('names the colours, all scopes, all codes, and what a name may be in standard words', () => {
    const { schemas = {}, securitySchemes = {} } = document.components;
    const { color, name } = (schemas['CreateEnvironment'] as { properties: Record<string, Record<string, unknown>> })
      .properties;
    for (const one of palette) expect(color?.['description']).to.contain(one);
    expect(color?.['examples']).to.deep.equal([...palette]);
    expect(name).to.include({ type: 'string', minLength: 1, maxLength: 255 });
    const { flows } = securitySchemes['clientCredentials'] as { flows: { clientCredentials: { scopes: object } } };
    expect(flows.clientCredentials.scopes).to.have.all.keys(...scopes);
    const { code } = (schemas['Problem'] as { properties: Record<string, Record<string, unknown>> }).properties;
    expect(code?.['enum']).to.deep.equal(Object.keys(problems));
    expect(answer.text).to.not.match(
      /trimmedLength|documentedAs|web-url|replay-bound|monitor-condition|"prose"|"phone"/,
    );
  });

  it('has examples that its own schemas allow', async () => {
    const { Ajv2020 } = await import('ajv/dist/2020.js');
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    ajv.addSchema(document, 'openapi');
    const examples = Object.entries(document.components['schemas'] ?? {}).flatMap(([name, { examples = [] }]) =>
      (examples as unknown[]).map((example) => ({ name, example })),
    );
    expect(examples.length).to.be.at.least(10);
    for (const { name, example } of examples) {
      const validate = ajv.getSchema(`openapi#/components/schemas/${name}`);
      expect(validate?.(example), `${name}: ${JSON.stringify(validate?.errors)}`).to.equal(true);
    }
  });

  describe('the comparison that every API test makes', () => {
    const faultsOf = (change: Partial<Answer>, path = '/logic/environments'): readonly string[] => {
      const body = { data: [], page: { size: 0, total: 0, after: null, before: null } };
      const usual = {
        status: 200,
        headers: { 'content-type': 'application/json', 'x-request-id': 'x' },
        text: JSON.stringify(body),
        body,
      };
      return compareWith(document)('GET', path, { ...usual, ...change });
    };

    it('agrees with an answer as documented', () => {
      expect(faultsOf({})).to.deep.equal([]);
    });

    it('finds another status, type, header, member, and an unknown path', () => {
      expect(faultsOf({ status: 418 })).to.have.length(1);
      expect(faultsOf({ headers: { 'content-type': 'text/html', 'x-request-id': 'x' } })).to.have.length(1);
      expect(faultsOf({ headers: { 'content-type': 'application/json' } })).to.have.length(1);
      expect(
        faultsOf({ headers: { 'content-type': 'application/json', 'x-request-id': 'x', etag: '"1"' } }),
      ).to.have.length(1);
      const page = { size: 0, total: 0, after: null, before: null };
      expect(faultsOf({ body: { data: [], page, more: 1 } })).to.have.length(1);
      expect(faultsOf({ body: { data: [{}], page } })).to.not.be.empty;
      expect(faultsOf({}, '/logic/nonsense')).to.have.length(1);
    });
  });
});
