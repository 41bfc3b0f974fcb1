import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'chai';
import { useApp } from '../support/app.js';
import { expectProblem } from '../support/asserts.js';
import { buildInquiry, useStore } from '../support/factories.js';
import { call } from '../support/http.js';
import { patchAs, pathOf } from '../support/inquiries.js';
import { buildScene } from '../support/scene.js';

/** One test for each defect that the fuzzer and the model of test/model found. */
describe('found by random requests', () => {
  const app = useApp();
  const store = useStore();

  it('a file of /docs says how long it may be kept, and the document says that it does', async () => {
    // `call` throws where an answer is not as documented.
    const answer = await call(`${app.baseUrl}/docs/page.css`);
    expect([answer.status, answer.headers['cache-control']]).to.deep.equal([200, 'public, max-age=3600']);
  });

  it('the page of a problem has one address, in lower case', async () => {
    expect((await call(`${app.baseUrl}/problems/overloaded`)).status).to.equal(200);
    for (const instance of ['/PROBLEMS/OVERLOADED', '/problems/Overloaded']) {
      expectProblem(await call(app.baseUrl + instance), 'route_not_found', { instance });
    }
  });

  it('a URL in capitals is allowed by the document as it is by the service', async () => {
    const scene = await buildScene(app);
    const redirect = { onSuccess: 'HTTPS://SHOP.EXAMPLE/thanks' };
    const { id } = await buildInquiry(store, scene.tenantId);
    const answer = await patchAs(app.baseUrl, scene.client)(pathOf(id), { redirect });
    expect(answer.status, answer.text).to.equal(200);
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    ajv.addSchema((await call(`${app.baseUrl}/openapi.json`)).body as object, 'openapi');
    const validate = ajv.getSchema('openapi#/components/schemas/UpdateInquiry');
    expect(validate?.({ redirect }), JSON.stringify(validate?.errors)).to.equal(true);
  });
});
