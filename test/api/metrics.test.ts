import { expect } from 'chai';
import { problems } from '../../src/errors.js';
import { limitRuns, useOwnApp } from '../support/app.js';
import { eventually } from '../support/eventually.js';
import { call } from '../support/http.js';
import { doubling, endless } from '../support/models.js';
import { useServer } from '../support/process.js';
import { buildScene, type Scene } from '../support/scene.js';
import { longTimeouts } from '../support/settings.js';
import { version } from '../../src/version.js';
import { engineNumber } from '../../workers/engine/index.js';
import { openDatabase } from '../../src/storage/database.js';
import { idToBytes, newId } from '../../src/storage/ids.js';

/** A sample's value; its labels in the order of the text. Absent counts as 0. */
function valueOf(text: string, sample: string): number {
  const line = text.split('\n').find((one) => one.startsWith(`${sample} `));
  return Number(line?.slice(sample.length + 1) ?? 0);
}

/** What `promtool check metrics` complains of: names, units and help texts that break Prometheus's conventions. */
function expectClean(text: string): void {
  const types = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = '', type = '']) => ({ name, type }));
  expect(types).to.have.length.above(10);
  const complaints = types.flatMap(({ name, type }) => [
    ...(new RegExp(`^# HELP ${name} \\S`, 'm').test(text) ? [] : [`${name} has no help text`]),
    ...(/^[a-z][a-z0-9_]*$/.test(name) ? [] : [`${name} is not in snake case`]),
    ...(type === 'counter' && !name.endsWith('_total') ? [`the counter ${name} does not end with _total`] : []),
    ...(type !== 'counter' && name.endsWith('_total') ? [`${name} is no counter`] : []),
    ...(/_(count|sum|bucket)$/.test(name) ? [`${name} ends as the parts of a histogram`] : []),
    ...(/_(counter|gauge|histogram|summary)(_|$)/.test(name) ? [`${name} names its type`] : []),
    ...(/_(ms|milliseconds|us|microseconds|ns|minutes|hours|kilobytes|kb|mb|percent)(_|$)/.test(name)
      ? [`${name} is not in a base unit`]
      : []),
  ]);
  expect(complaints).to.deep.equal([]);
  const names = types.map(({ name }) => name);
  expect(new Set(names).size, 'each is described once').to.equal(names.length);
  const described = new Set(names.flatMap((name) => [name, `${name}_count`, `${name}_sum`, `${name}_bucket`]));
  const samples = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  for (const line of samples) {
    const [, name = ''] = /^([a-zA-Z_:][\w:]*)(?:\{(?:\w+="(?:[^"\\]|\\.)*",?)*\})? [-+.\deNaInf]+$/.exec(line) ?? [];
    expect(described.has(name), line).to.equal(true);
  }
}

describe('GET /metrics on the admin port', () => {
  const app = useOwnApp();
  let scene: Scene;
  let booted: number;
  before(async () => {
    booted = performance.now();
    scene = await buildScene(app);
  });

  const read = async (): Promise<string> => (await call(`${app.adminUrl}/metrics`)).text;
  it('has what it counts by code and reason from the start, as 0, so that no first event is missed', async () => {
    const text = await read();
    for (const code of Object.keys(problems)) expect(text).to.contain(`verdict_http_errors_total{code="${code}"} `);
    for (const reason of ['timeout', 'memory', 'crash'])
      expect(text).to.contain(`verdict_pool_stopped_runs_total{reason="${reason}"} 0`);
    for (const reason of ['queue_full', 'workspace_full', 'expected_wait', 'waited', 'gone', 'draining'])
      expect(text).to.contain(`verdict_pool_rejected_runs_total{reason="${reason}"} 0`);
    expect(text).to.match(/^verdict_analysis_unconfirmed_total 0$/m);
    for (const status of ['completed', 'failed'])
      expect(text).to.contain(`verdict_decision_executions_total{workspace="",decision="others",status="${status}"} 0`);
    for (const labels of [
      'method="POST",route="/logic/{environmentId}/decisions/{decisionId}/executions",status="201"',
      'method="DELETE",route="/logic/monitors/{id}",status="204"',
    ])
      expect(text).to.contain(`verdict_http_requests_total{${labels}} 0`);
    const counters = [...text.matchAll(/^# TYPE (\S+) counter$/gm)].map(([, name = '']) => name);
    for (const name of counters) expect(text, name).to.match(new RegExp(`^${name}[ {]`, 'm'));
  });

  it('counts requests by route and status, never by what the client wrote', async () => {
    await scene.caller.get('/logic/environments');
    await scene.caller.get('/logic/environments');
    await scene.caller.get('/logic/environments/nonsense');
    await call(`${app.baseUrl}/logic/made-up-${scene.workspaceId}`, { method: 'PUT' });
    const text = await read();
    const requests = (labels: string): number => valueOf(text, `verdict_http_requests_total{${labels}}`);
    expect(requests('method="GET",route="/logic/environments",status="200"')).to.equal(2);
    expect(requests('method="GET",route="/logic/environments/{id}",status="400"')).to.equal(1);
    expect(requests('method="any",route="none",status="404"')).to.equal(1);
    expect(valueOf(text, 'verdict_http_errors_total{code="validation_failed"}')).to.equal(1);
    expect(valueOf(text, 'verdict_http_request_duration_seconds_count{route="/logic/environments"}')).to.equal(2);
    expect(text).to.not.contain(scene.workspaceId);
  });

  it('counts the executions of a decision and their time, by their status', async () => {
    const { decisionId, environmentId } = await scene.deployed('counted.json', doubling(2));
    for (const x of [1, 2, 'a'])
      await scene.caller.post(`/logic/${environmentId}/decisions/${decisionId}/executions`, { fact: { x } });
    const text = await read();
    const place = `workspace="${scene.workspaceId}",decision="${decisionId}"`;
    expect(valueOf(text, `verdict_decision_executions_total{${place},status="completed"}`)).to.equal(2);
    expect(valueOf(text, `verdict_decision_executions_total{${place},status="failed"}`)).to.equal(1);
    expect(valueOf(text, `verdict_decision_engine_seconds_total{${place}}`)).to.be.within(0.000_001, 1);
  });

  it('measures runs, the pool, the caches and the recorder', async () => {
    const { decisionId, environmentId } = await scene.deployed('double.json', doubling(2));
    const slowId = await scene.decision('slow.json', endless());
    const before = await read();
    const rise = (text: string, sample: string): number => valueOf(text, sample) - valueOf(before, sample);

    const path = `/logic/${environmentId}/decisions/${decisionId}/executions`;
    const sent = performance.now();
    for (let x = 0; x < 3; x++) expect((await scene.caller.post(path, { fact: { x } })).status).to.equal(201);
    await limitRuns(app, 300);
    const slow = await scene.caller.post(`/logic/decisions/${slowId}/evaluations`, { version: 1, fact: {} });
    expect(slow.status).to.equal(504);
    const tookS = (performance.now() - sent) / 1000;
    await limitRuns(app, 60_000);
    // The thread that was stopped has a successor.
    await eventually(async () => valueOf(await read(), 'verdict_pool_threads{state="idle"}') >= 1);

    const after = await read();
    expect(rise(after, 'verdict_pool_run_seconds_count')).to.equal(4);
    expect(rise(after, 'verdict_pool_run_seconds_sum')).to.be.within(0.3, tookS);
    expect(rise(after, 'verdict_pool_wait_seconds_count')).to.equal(4);
    expect(rise(after, 'verdict_pool_timed_out_runs_total')).to.equal(1);
    expect(rise(after, 'verdict_pool_stopped_runs_total{reason="timeout"}')).to.equal(1);
    expect(valueOf(after, 'verdict_pool_threads{state="busy"}')).to.equal(0);
    expect(valueOf(after, 'verdict_pool_threads{state="idle"}')).to.be.at.least(1);
    expect(valueOf(after, 'verdict_pool_threads_limit')).to.equal(2);
    expect(valueOf(after, 'verdict_pool_queue_limit')).to.equal(1000);
    expect(rise(after, 'verdict_cache_reads_total{cache="routing",layer="local"}')).to.be.at.least(1);
    expect(rise(after, 'verdict_recorder_batch_rows_sum')).to.be.at.least(3);
    expect(rise(after, 'verdict_recorder_flush_seconds_count')).to.be.at.least(3);
    // Other tests may have left messages.
    expect(after).to.match(/^verdict_outbox_messages\{state="pending"\} \d+$/m);
    expect(after).to.match(/^verdict_outbox_oldest_age_seconds\{state="pending"\} [\d.]+$/m);
    const sinceBootS = (performance.now() - booted) / 1000;
    expect(valueOf(after, 'verdict_event_loop_delay_max_seconds')).to.be.within(0, sinceBootS);
    expect(valueOf(after, 'process_resident_memory_bytes')).to.be.above(1e7);
  });

  it('says whether it is ready, of what it depends on, and which build it is', async () => {
    const text = await read();
    expect(valueOf(text, 'verdict_ready')).to.equal(1);
    for (const name of ['mysql', 'redis']) expect(valueOf(text, `verdict_dependency_up{name="${name}"}`)).to.equal(1);
    const labels = `version="${version}",engine="${engineNumber}",node="${process.versions.node}"`;
    expect(valueOf(text, `verdict_build_info{${labels}}`)).to.equal(1);
  });

  it('says how many erasures wait, and for how long', async () => {
    const database = openDatabase(process.env['DATABASE_URL'] ?? '', { poolSize: 1, acquireTimeoutMs: 60_000 });
    // One that no process may claim yet.
    const [id, workspace_id] = [idToBytes(newId()), idToBytes(scene.workspaceId)];
    const [created_at, due_at] = ['- INTERVAL 2 HOUR', '+ INTERVAL 2 HOUR'].map((apart) =>
      database.raw(`UTC_TIMESTAMP(3) ${apart}`),
    );
    try {
      await database('erasures').insert({ id, workspace_id, reference: 'r', principal: 'p', created_at });
      // What has no job is done; those of other tests end.
      await eventually(async () => valueOf(await read(), 'verdict_erasures_waiting') === 0);
      await database('jobs').insert({ kind: 'erasure', id, workspace_id, tenant_id: workspace_id, due_at });
      // Scrapes that follow each other at once share one reading.
      const text = await eventually(async () => {
        const now = await read();
        return valueOf(now, 'verdict_erasures_waiting') === 1 && now;
      });
      expect(valueOf(text, 'verdict_erasures_oldest_age_seconds')).to.be.within(7200, 9000);
    } finally {
      await database('jobs').where({ kind: 'erasure', id }).delete();
      await database('erasures').where({ id }).delete();
      await database.destroy();
    }
    await eventually(async () => /^verdict_erasures_oldest_age_seconds 0$/m.test(await read()));
  });

  it('says how far evidence is behind', async () => {
    await eventually(async () => /^verdict_evidence_lag_seconds [\d.]+$/m.test(await read()));
  });

  it('keeps to the conventions of Prometheus', async () => {
    expectClean(await read());
  });
});

describe('GET /metrics of several server processes', () => {
  const server = useServer({ ...longTimeouts, HTTP_PROCESSES: '2', LOG_LEVEL: 'silent' });

  const read = async (): Promise<string> => (await call(`${server.adminUrl}/metrics`)).text;
  const unknown = 'verdict_http_requests_total{method="any",route="none",status="404"}';
  /** Each on a connection of its own, so that every process gets some. */
  const ask = async (count: number): Promise<void> => {
    for (let done = 0; done < count; done++)
      await call(`${server.baseUrl}/nowhere`, { headers: { Connection: 'close' } });
  };

  it('keeps to the conventions of Prometheus, with runs, refusals and evaluations in it', async () => {
    const scene = await buildScene(server);
    const { path } = await scene.deployed('double.json', doubling(2));
    const calls = Array.from({ length: 40 }, (_, x) => scene.caller.post(path, x % 10 === 0 ? {} : { fact: { x } }));
    const statuses = new Set((await Promise.all(calls)).map(({ status }) => status));
    expect([...statuses]).to.have.members([201, 400]);
    const text = await read();
    expect(valueOf(text, 'verdict_pool_run_seconds_count')).to.equal(36);
    expect(valueOf(text, 'verdict_ready')).to.equal(1);
    expect(text).to.match(/^verdict_build_info\{.*\} 1$/m);
    expectClean(text);
  });

  it('is the sum of all, and does not fall when one dies', async () => {
    await ask(20);
    const before = await read();
    expect(valueOf(before, unknown)).to.equal(20);
    expect(valueOf(before, 'verdict_pool_threads_limit')).to.equal(4);
    expect(valueOf(before, 'verdict_process_restarts_total')).to.equal(0);

    const { body } = await call(`${server.adminUrl}/pool`);
    const [victim] = (body as { processes: { pid: number }[] }).processes;
    process.kill(victim!.pid, 'SIGKILL');
    const text = await eventually(async () => {
      const now = await read();
      expect(valueOf(now, unknown)).to.equal(20);
      return valueOf(now, 'verdict_process_restarts_total') > 0 && now;
    });
    expect(valueOf(text, 'verdict_process_restarts_total')).to.equal(1);
    await ask(10);
    expect(valueOf(await read(), unknown)).to.equal(30);
  });
});
