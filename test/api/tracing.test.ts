import { randomBytes, randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { oauthPaths } from '../../src/oauth/oauth.routes.js';
import { bootApp, type TestApp } from '../support/app.js';
import { startCollector, type CollectedSpan, type Collector } from '../support/collector.js';
import { eventually } from '../support/eventually.js';
import { call } from '../support/http.js';
import { doubling } from '../support/models.js';
import { startServer } from '../support/process.js';
import { buildScene, type Scene } from '../support/scene.js';
import { longTimeouts } from '../support/settings.js';
import { startStopwatch } from '../support/stopwatch.js';

const newTraceId = (): string => randomBytes(16).toString('hex');
const caller = '00f067aa0ba902b7';
const traceparent = (traceId: string, flags = '01'): string => `00-${traceId}-${caller}-${flags}`;
const milliseconds = ({ startTimeUnixNano, endTimeUnixNano }: CollectedSpan): number =>
  Number(BigInt(endTimeUnixNano) - BigInt(startTimeUnixNano)) / 1e6;
const named = (spans: readonly CollectedSpan[], name: string): CollectedSpan =>
  spans.find((span) => span.name === name) ?? expect.fail(`no ${name} among ${spans.map((span) => span.name).join()}`);

/** A server that ends waits for its collector no longer. */
const lastSendMs = 1500;

const executions = 'POST /logic/{environmentId}/decisions/{decisionId}/executions';

/** What is left may be sent for so long. */
const longestStopMs = 3000;

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
    ({ decisionId, environmentId } = await scene.deployed('double.json', doubling(2)));
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
    const [sentAt, sent] = [Date.now(), performance.now()];
    const answer = await execute({ traceparent: traceparent(traceId), tracestate: 'vendor=1' });
    expect(answer.status).to.equal(201);
    const spans = await collector.trace(traceId, 4);
    const [collectedAt, tookMs] = [Date.now(), performance.now() - sent];
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
    // The system may set its clock a little in between.
    expect(ended).to.be.within(sentAt - 1000, collectedAt + 1000);
    expect(milliseconds(request)).to.be.within(0, tookMs);
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
      const bad = await startCollector();
      bad.behave(how);
      const before = app.log().length;
      const own = await bootApp({ OTEL_EXPORTER_OTLP_ENDPOINT: bad.endpoint });
      const requestId = randomUUID();
      const ask = ({ baseUrl }: TestApp, headers = {}) => call(`${baseUrl}${oauthPaths.metadata}`, { headers });
      await ask(own);
      await eventually(() => bad.requests.length > 0);
      // In turns with a server whose collector is well: what the machine does, it does to both.
      const times: { own: number[]; well: number[] } = { own: [], well: [] };
      for (let round = 0; round < 60; round++) {
        times.own.push(await millisecondsOf(() => ask(own, { 'X-Request-Id': requestId })));
        times.well.push(await millisecondsOf(() => ask(app)));
      }
      expect(middle(times.own)).to.be.lessThan(10 * middle(times.well));
      const watch = startStopwatch();
      await own.stop();
      expect(watch.stop()).to.be.lessThan(longestStopMs);
      await bad.close();
      const said = own
        .log()
        .split('\n')
        .filter((line) => line.includes('collector'));
      expect(said.length).to.be.at.most(1);
      expect(app.log().slice(before)).to.not.contain(requestId);
    });
  }

  it('a collector that is away is said once, and once when it is back', async () => {
    collector.behave('refuse');
    for (let round = 0; round < 3; round++) {
      const refused = collector.requests.length;
      await execute({});
      await eventually(() => collector.requests.length > refused);
    }
    collector.behave('take');
    const traceId = newTraceId();
    await execute({ traceparent: traceparent(traceId) });
    await collector.trace(traceId, 4);
    const said = await eventually(() => {
      const lines = app.log().split('\n');
      const about = lines.filter((line) => line.includes('"collector"'));
      return about.length > 1 && about;
    });
    expect(said.map((line) => (JSON.parse(line) as { msg: string }).msg)).to.deep.equal([
      'traces are dropped: the collector takes none',
      'the collector takes traces again',
    ]);
  });

  it('what is left is sent on the way out, by every process', async () => {
    const leave = async (): Promise<{ readonly spans: readonly CollectedSpan[]; readonly inTime: boolean }> => {
      const server = await startServer({
        ...longTimeouts,
        HTTP_PROCESSES: '2',
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
        OTEL_SERVICE_NAME: 'two',
      });
      const traceId = newTraceId();
      const headers = { traceparent: traceparent(traceId), Connection: 'close' };
      for (let sent = 0; sent < 20; sent++) await call(`${server.baseUrl}/openapi.json`, { headers });
      const leftMs = await millisecondsOf(async () => expect(await server.stop()).to.equal(0));
      const spans = collector.spans().filter((span) => span.traceId === traceId);
      return { spans, inTime: leftMs < lastSendMs };
    };
    // Where the machine gave it no time, it may have left without them.
    const spans = await eventually(async () => {
      const left = await leave();
      return (left.inTime || left.spans.length === 20) && left.spans;
    });
    expect(spans).to.have.length(20);
    expect(new Set(spans.map(({ resource }) => resource['service.name']))).to.deep.equal(new Set(['two']));
    expect(new Set(spans.map(({ resource }) => resource['process.pid'])).size).to.equal(2);
    expect(new Set(spans.map(({ resource }) => resource['service.instance.id'])).size).to.equal(2);
  });
});

async function millisecondsOf(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

const middle = (times: readonly number[]): number => [...times].sort((a, b) => a - b)[times.length >> 1] ?? 0;
