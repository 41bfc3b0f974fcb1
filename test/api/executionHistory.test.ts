import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { useApp } from '../support/app.js';
import { bodyOf, expectProblem } from '../support/asserts.js';
import { expressing } from '../support/models.js';
import { useFreshScene } from '../support/scene.js';

const path = '/logic/executions';

interface Summary extends Record<string, unknown> {
  readonly id: string;
  readonly createdAt: string;
}
interface Listed {
  readonly data: Summary[];
  readonly page: { readonly size: number; readonly total: null; readonly after: string; readonly before: string };
}

describe('the history of executions', () => {
  const app = useApp();
  const scene = useFreshScene(app);
  let decisionId: string;
  let environmentId: string;
  let deploymentId: string;
  beforeEach(async () => {
    ({ decisionId, environmentId, deploymentId } = await scene.deployed('d.json', expressing({ y: 'x * 2' })));
  });

  const execute = async (fact: object | string, headers: Record<string, string> = {}): Promise<string> => {
    const body = typeof fact === 'string' ? `{"fact":${fact}}` : { fact };
    const type = typeof fact === 'string' ? { 'Content-Type': 'application/json' } : {};
    const at = `/logic/${environmentId}/decisions/${decisionId}/executions`;
    return (bodyOf(await scene.caller.post(at, body, { ...type, ...headers }), 201) as { id: string }).id;
  };
  const list = async (query = ''): Promise<Listed> => {
    const answer = await scene.caller.get(path + query);
    expect(answer.status, answer.text).to.equal(200);
    expect(answer.headers['content-type']).to.equal('application/json; charset=utf-8');
    return answer.body as Listed;
  };
  const ids = async (query: string): Promise<string[]> => (await list(query)).data.map(({ id }) => id);

  it('shows one as it was recorded, and lists it without fact, result and trace', async () => {
    const requestId = randomUUID();
    const id = await execute({ x: 4 }, { 'X-Request-Id': requestId, 'Execution-Reference': 'order-4711/"a"' });
    const answer = await scene.caller.get(`${path}/${id.toUpperCase()}`);
    const { createdAt, performance } = answer.body as { createdAt: string; performance: string };
    expect([answer.status, answer.headers.etag]).to.deep.equal([200, '"1"']);
    expect(performance).to.match(/^\d+(\.\d{1,3})?ms$/);
    const place = { id, workspaceId: scene.workspaceId, environmentId, deploymentId, decisionId };
    const summary = {
      ...{ ...place, version: 1, status: 'COMPLETED', reference: 'order-4711/"a"' },
      ...{ error: null, performance, requestId, principal: `client:${scene.client.id}`, createdAt },
    };
    expect(answer.body).to.deep.equal({ ...summary, fact: { x: 4 }, result: { y: 8 }, trace: null });
    const listed = await list();
    expect(listed.data).to.deep.equal([summary]);
    expect(listed.page).to.deep.include({ size: 1, total: null });
  });

  it('shows the error and the trace of one that failed', async () => {
    const id = await execute({ x: 'text' });
    const { body } = await scene.caller.get(`${path}/${id}`);
    expect(body).to.include({ status: 'FAILED', reference: null });
    expect(body).to.have.nested.property('error.message');
    expect(body).to.have.property('trace').that.is.an('object');
    expect((await list('?status=FAILED')).data[0]).to.have.nested.property('error.message');
  });

  it('knows no evaluation', async () => {
    const evaluated = await scene.caller.post(`/logic/decisions/${decisionId}/evaluations`, {
      version: 1,
      fact: { x: 1 },
    });
    const { id } = evaluated.body as { id: string };
    const instance = `${path}/${id}`;
    const detail = `There is no execution ${id} in this workspace.`;
    expectProblem(await scene.caller.get(instance), 'execution_not_found', { instance, detail });
  });

  it('is filtered by each field, and by several', async () => {
    const requestId = randomUUID();
    const plain = await execute({ x: 1 });
    const referred = await execute({ x: 2 }, { 'Execution-Reference': 'order-1' });
    const asked = await execute({ x: 3 }, { 'X-Request-Id': requestId });
    const failed = await execute({ x: 'a' }, { 'Execution-Reference': 'order-1' });
    const second = await scene.deploy(decisionId, environmentId, 0);
    const working = await execute({ x: 5 });
    const place = environmentId;
    environmentId = await scene.environment();
    const third = await scene.deploy(decisionId, environmentId, 1);
    const elsewhere = await execute({ x: 6 });
    const all = [plain, referred, asked, failed, working, elsewhere];
    const found: Record<string, readonly string[]> = {
      '': all,
      [`environmentId=${environmentId}`]: [elsewhere],
      [`environmentId=${place.toUpperCase()}`]: all.slice(0, 5),
      [`decisionId=${decisionId}`]: all,
      [`decisionId=${randomUUID()}`]: [],
      [`deploymentId=${second}`]: [working],
      [`deploymentId=${third}`]: [elsewhere],
      'version=1': [plain, referred, asked, failed, elsewhere],
      'version=0': [working],
      'version=7': [],
      'status=FAILED': [failed],
      'status=COMPLETED': [plain, referred, asked, working, elsewhere],
      'reference=order-1': [referred, failed],
      'reference=ORDER-1': [],
      [`requestId=${requestId.toUpperCase()}`]: [asked],
      'reference=order-1&status=FAILED': [failed],
      [`environmentId=${place}&version=1&status=COMPLETED`]: [plain, referred, asked],
      [`decisionId=${decisionId}&deploymentId=${third}&order=desc`]: [elsewhere],
      'order=desc': all.toReversed(),
      'order=desc&status=COMPLETED&size=2': [elsewhere, working],
    };
    for (const [query, expected] of Object.entries(found))
      expect(await ids(`?${query}`), query).to.deep.equal(expected);
  });

  it('is limited in time, to the millisecond, whether or not a key was given', async () => {
    for (let count = 0; count < 3; count++) {
      await execute({ x: count }, count === 1 ? { 'Idempotency-Key': 'k' } : {});
    }
    const { data } = await list();
    for (const { createdAt } of data) {
      expect((await list(`?from=${createdAt}`)).data).to.deep.equal(data.filter((one) => one.createdAt >= createdAt));
      expect((await list(`?to=${createdAt}`)).data).to.deep.equal(data.filter((one) => one.createdAt < createdAt));
    }
    expect(await ids('?from=2000-01-01&to=2000-01-02')).to.deep.equal([]);
    const { status, body } = await scene.caller.get('/logic/executions?from=2026-11-27&to=2026-11-27');
    expect(status).to.equal(400);
    expect((body as { errors: unknown }).errors).to.deep.equal([
      { in: 'query', pointer: 'from', message: 'must be before `to`, which is not included' },
    ]);
  });

  it('pages in both orders, forwards and backwards, under a filter', async () => {
    for (let count = 0; count < 7; count++) await execute({ x: count % 2 === 0 ? count : 'a' });
    const all = await ids('?status=COMPLETED');
    expect(all).to.have.lengthOf(4);
    for (const order of ['asc', 'desc']) {
      const ordered = order === 'asc' ? all : all.toReversed();
      const query = `?status=COMPLETED&order=${order}`;
      const first = await list(`${query}&size=2`);
      expect(first.data.map(({ id }) => id)).to.deep.equal(ordered.slice(0, 2));
      const second = await list(`${query}&size=2&after=${first.page.after}`);
      expect(second.data.map(({ id }) => id)).to.deep.equal(ordered.slice(2));
      expect(await list(`${query}&size=2&before=${second.page.before}`)).to.deep.equal(first);
      expect(await list(`${query}&after=${second.page.after}`)).to.deep.equal({
        data: [],
        page: { size: 0, total: null, after: null, before: null },
      });
    }
  });

  it('refuses an Execution-Reference that is not 1 to 255 visible ASCII characters, and runs nothing', async () => {
    const instance = `/logic/${environmentId}/decisions/${decisionId}/executions`;
    for (const reference of ['', 'a b', 'x'.repeat(256), 'ä', 'a\tb']) {
      const answer = await scene.caller.post(instance, { fact: { x: 1 } }, { 'Execution-Reference': reference });
      expectProblem(answer, 'validation_failed', {
        instance,
        errors: [
          { in: 'header', pointer: 'Execution-Reference', message: 'must be 1 to 255 visible ASCII characters' },
        ],
      });
    }
    expect(await ids('')).to.deep.equal([]);
    const longest = '~'.repeat(255);
    const id = await execute({ x: 1 }, { 'Execution-Reference': longest });
    expect(await ids(`?reference=${longest}`)).to.deep.equal([id]);
  });
});
