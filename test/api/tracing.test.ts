import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { bootApp, type TestApp } from '../support/app.js';
import { startCollector, type CollectedSpan, type Collector } from '../support/collector.js';
import { call } from '../support/http.js';
import { doubling } from '../support/models.js';
import { startServer } from '../support/process.js';
import { buildScene, type Scene } from '../support/scene.js';

const newTraceId = (): string => randomBytes(16).toString('hex');
const caller = '00f067aa0ba902b7';
const traceparent = (traceId: string, flags = '01'): string => `00-${traceId}-${caller}-${flags}`;
const milliseconds = ({ startTimeUnixNano, endTimeUnixNano }: CollectedSpan): number =>
  Number(BigInt(endTimeUnixNano) - BigInt(startTimeUnixNano)) / 1e6;
const named = (spans: readonly CollectedSpan[], name: string): CollectedSpan =>
  spans.find((span) => span.name === name) ?? expect.fail(`no ${name} among ${spans.map((span) => span.name).join()}`);

const executions = 'POST /logic/{environmentId}/decisions/{decisionId}/executions';

describe('traces', () => {
  let collector: Collector;
  let app: TestApp;
  let scene: Scene;
  let environmentId: string;
  let decisionId: string;
  before(async () => {
    collector = await startCollector();
    app = await bootApp({
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
      OTEL_EXPORTER_OTLP_HEADERS: 'x-api-key=hunter2%2C',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
    });
    scene = await buildScene(app);
    environmentId = await scene.environment();
    decisionId = await scene.decision('double.json', doubling(2));
    await scene.deploy(decisionId, environmentId, 1);
  });
  after(async () => {
    await app.stop();
    await collector.close();
  });
  afterEach(() => collector.behave('take'));

  const execute = (headers: Record<string, string>, fact: object = { x: 21 }): ReturnType<Scene['caller']['post']> =>
    scene.caller.post(`/logic/${environmentId}/decisions/${decisionId}/executions`, { fact }, headers);

  it('an execution continues the trace of its caller, with its wait, its run and its commit below it', async () => {
    const traceId = newTraceId();
    const answer = await execute({ traceparent: traceparent(traceId), tracestate: 'vendor=1' });
    expect(answer.status).to.equal(201);
    const spans = await collector.trace(traceId, 4);
    const request = named(spans, executions);
    expect(request).to.deep.include({ parentSpanId: caller, kind: 2, traceState: 'vendor=1' });
    expect(request.status.code ?? 0).to.equal(0);
    expect(request.attributes).to.deep.equal({
      'http.request.method': 'POST',
      'http.route': '/logic/{environmentId}/decisions/{decisionId}/executions',
      'http.response.status_code': 201,
      'url.scheme': 'http',
      'url.path': `/logic/${environmentId}/decisions/${decisionId}/executions`,
      'network.protocol.version': '1.1',
      'verdict.request_id': answer.headers['x-request-id'],
    });
    expect(request.resource).to.include({
      'service.name': 'verdict',
      'deployment.environment.name': 'test',
      'process.pid': process.pid,
    });

    expect(spans.map(({ name }) => name).sort()).to.deep.equal(
      [executions, 'pool.run', 'pool.wait', 'record.commit'].sort(),
    );
    for (const name of ['pool.wait', 'pool.run', 'record.commit']) {
      const part = named(spans, name);
      expect(part.parentSpanId, name).to.equal(request.spanId);
      expect(Number(part.startTimeUnixNano), name).to.be.at.least(Number(request.startTimeUnixNano));
      expect(Number(part.endTimeUnixNano), name).to.be.at.most(Number(request.endTimeUnixNano));
    }
    expect(Number(named(spans, 'record.commit').startTimeUnixNano)).to.be.at.least(
      Number(named(spans, 'pool.run').endTimeUnixNano) - 1e6,
    );
    const ended = Number(request.endTimeUnixNano) / 1e6;
    expect(ended).to.be.closeTo(Date.now(), 10_000);
    expect(milliseconds(request)).to.be.within(0, 5000);
    expect(app.log()).to.contain(`"traceId":"${traceId}"`);
  });

  it('what its caller does not sample is not traced, nor is what comes after a broken header', async () => {
    const [unsampled, sampled] = [newTraceId(), newTraceId()];
    await execute({ traceparent: traceparent(unsampled, '00') });
    for (const broken of [`00-${'0'.repeat(32)}-${caller}-01`, `ff-${newTraceId()}-${caller}-01`, 'x'.repeat(200)]) {
      expect((await execute({ traceparent: broken })).status).to.equal(201);
    }
    await execute({ traceparent: traceparent(sampled) });
    expect(await collector.trace(sampled, 4)).to.have.length(4);
    expect(await collector.trace(unsampled, 0)).to.deep.equal([]);
    expect(await collector.trace('0'.repeat(32), 0)).to.deep.equal([]);
    expect(app.log()).to.not.contain(unsampled);
  });

  it('a refusal is no error of the server and has its code; a model’s fault is the run’s', async () => {
    const [refused, lost, faulty] = [newTraceId(), newTraceId(), newTraceId()];
    await scene.caller.get(`/logic/environments/${decisionId}?secret=hunter2`, { traceparent: traceparent(refused) });
    await call(`${app.baseUrl}/no/such`, { headers: { traceparent: traceparent(lost) } });
    const [validation] = await collector.trace(refused, 1);
    expect(validation).to.have.property('name', 'GET /logic/environments/{id}');
    expect(validation?.attributes).to.include({
      'http.response.status_code': 400,
      'verdict.code': 'validation_failed',
    });
    expect(validation?.status.code ?? 0).to.equal(0);
    const [nowhere] = await collector.trace(lost, 1);
    expect(nowhere).to.have.property('name', 'GET');
    expect(nowhere?.attributes).to.not.have.property('http.route');

    await execute({ traceparent: traceparent(faulty) }, { x: 'many' });
    const run = named(await collector.trace(faulty, 4), 'pool.run');
    expect(run.status.code).to.equal(2);
    expect(run.attributes).to.deep.equal({ 'error.type': 'failed' });
  });

  it('sends no secret, and its own to the collector', async () => {
    const traceId = newTraceId();
    await execute({ traceparent: traceparent(traceId), 'Idempotency-Key': 'hunter3' }, { x: 1234567 });
    const spans = await collector.trace(traceId, 4);
    const all = JSON.stringify(spans);
    for (const secret of [scene.token, scene.client.secret, 'hunter', '1234567', '2469134'])
      expect(all).to.not.contain(secret);
    expect(collector.requests.at(-1)).to.have.property('path', '/v1/traces');
    expect(collector.requests.at(-1)?.headers).to.have.property('x-api-key', 'hunter2,');
    expect(app.log()).to.not.contain('hunter2');
  });

  for (const how of ['refuse', 'hang'] as const) {
    it(`a collector that would ${how} slows nothing, and is said once`, async () => {
      collector.behave(how);
      const before = app.log().length;
      const own = await bootApp({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint });
      const slowest = await slowestOf(60, () => call(`${own.baseUrl}/openapi.json`));
      expect(slowest).to.be.lessThan(1000);
      const started = performance.now();
      await own.stop();
      expect(performance.now() - started).to.be.lessThan(3000);
      const said = own
        .log()
        .split('\n')
        .filter((line) => line.includes('collector'));
      expect(said.length).to.be.at.most(1);
      expect(app.log().slice(before)).to.not.contain('openapi');
    });
  }

  it('a collector that is away is said once, and once when it is back', async () => {
    collector.behave('refuse');
    for (let round = 0; round < 3; round++) {
      await execute({});
      await sleep(1100);
    }
    collector.behave('take');
    await execute({});
    await sleep(1500);
    const said = app
      .log()
      .split('\n')
      .filter((line) => line.includes('"collector"'));
    expect(said.map((line) => (JSON.parse(line) as { msg: string }).msg)).to.deep.equal([
      'traces are dropped: the collector takes none',
      'the collector takes traces again',
    ]);
  }).timeout(10_000);

  it('what is left is sent on the way out, by every process', async () => {
    const server = await startServer({
      HTTP_PROCESSES: '2',
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
      OTEL_SERVICE_NAME: 'two',
    });
    const traceId = newTraceId();
    const headers = { traceparent: traceparent(traceId), Connection: 'close' };
    for (let sent = 0; sent < 20; sent++) await call(`${server.baseUrl}/openapi.json`, { headers });
    expect(await server.stop()).to.equal(0);
    const spans = collector.spans().filter((span) => span.traceId === traceId);
    expect(spans).to.have.length(20);
    expect(new Set(spans.map(({ resource }) => resource['service.name']))).to.deep.equal(new Set(['two']));
    expect(new Set(spans.map(({ resource }) => resource['process.pid'])).size).to.equal(2);
    expect(new Set(spans.map(({ resource }) => resource['service.instance.id'])).size).to.equal(2);
  }).timeout(30_000);
});

async function slowestOf(count: number, work: () => Promise<unknown>): Promise<number> {
  let slowest = 0;
  for (let done = 0; done < count; done++) {
    const started = performance.now();
    await work();
    slowest = Math.max(slowest, performance.now() - started);
  }
  return slowest;
}
