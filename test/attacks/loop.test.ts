import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { isLong } from '../support/environment.js';
import { protect } from '../support/changes.js';
import { eventually } from '../support/eventually.js';
import { deciding, expressing } from '../support/models.js';
import { startServer, type ServerProcess } from '../support/process.js';
import { ended } from '../support/replays.js';
import { buildScene, type Scene } from '../support/scene.js';
import { asCsv } from '../support/sheets.js';

const rounds = isLong ? 3 : 1;

/**
 * Milliseconds of processor time that others may have to wait for the main thread: 100 on a quiet machine. What is sought here is
 * work that grows with a tenant's bytes, which was seconds; a processor that two programs share takes twice as long for the same.
 */
const longest = isLong ? 100 : 500;
/** Change requests on a page, each of 0.75 MiB: no more are let through. */
const largeItems = 20;
const streamMiB = isLong ? 64 : 4;
/** Of a large file that is run: the conversion of one has 10,000 in any form. */
const rows = isLong ? 30_000 : 12_000;
const asLines = { 'Content-Type': 'application/x-ndjson' };
const preloaded = `--import=${new URL('../support/stretches.js', import.meta.url).href}`;

describe('the main thread, beside a tenant whose facts, results, reports and files are as large as they may be', function () {
  this.timeout(600_000);
  let folder: string;
  let file: string;
  let server: ServerProcess;
  let scene: Scene;
  let environmentId: string;
  let decisionId: string;
  let path: string;
  /** An execution whose result is as large as it may be. */
  let recorded: string;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'verdict-stretches-'));
    file = join(folder, 'stretches');
    writeFileSync(file, '');
    server = await startServer({ STRETCHES_FILE: file, POOL_MAX_WAIT_MS: '60000', RUN_TIMEOUT_MS: '30000' }, [
      preloaded,
    ]);
    scene = await buildScene(server);
    ({ decisionId, environmentId } = await scene.deployed('large.json', large('#')));
    await scene.decision('large.json', large('# + 1'));
    path = `/logic/${environmentId}/decisions/${decisionId}`;
    const pointers = [1, 2, 3, 4, 5].map((at) => `/r/${at}`);
    expect((await scene.caller.put(`/logic/decisions/${decisionId}/measured`, { pointers })).status).to.equal(200);
    // Whatever is loaded or compiled on its way, as the library of agents is by the first message, is so by then.
    for (let n = 0; n < 3; n++) await execute({ n: 1000 });
    await call('large', { n: 1000 });
  });
  after(async () => {
    await server.stop();
    rmSync(folder, { recursive: true });
  });

  /** A result of small values, 4 MiB of them for 330,000, in which the name of the measured field comes four times before it. */
  function large(value: string) {
    return expressing({ a: `{r: {r: {r: {r: map([0..n], {v: ${value}})}}}}`, r: '[1, 2, 3, 4, 5, 6]' });
  }
  async function execute(fact: object, of = decisionId): Promise<string> {
    const answer = await scene.caller.post(`/logic/${environmentId}/decisions/${of}/executions`, { fact });
    expect(answer.status, answer.text.slice(0, 300)).to.equal(201);
    return (answer.body as { id: string }).id;
  }
  /** @param work on whose behalf the main thread may not run for long without a turn */
  async function requireTurns(work: () => Promise<unknown>): Promise<void> {
    const { length } = readFileSync(file, 'utf8');
    await work();
    const stretches = readFileSync(file, 'utf8').slice(length).trim().split('\n').map(Number);
    expect(Math.max(0, ...stretches), `stretches of ${stretches.join()} ms`).to.be.below(longest);
  }
  const get = async (of: string): Promise<unknown> => {
    const answer = await scene.caller.get(of);
    expect(answer.status, answer.text.slice(0, 300)).to.equal(200);
    return answer.body;
  };
  const call = (name: string, given: object): Promise<unknown> =>
    scene.caller.post(`/mcp/${environmentId}`, {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name, arguments: given },
    });

  it('has turns while facts of a MiB and results of 4 MiB are recorded and their fields are measured', async () => {
    await requireTurns(async () => {
      for (let round = 0; round < rounds; round++) {
        await execute({ n: 10, numbers: Array.from({ length: 145_000 }, (_, at) => at) });
        recorded = await execute({ n: 330_000 });
      }
      await eventually(async () => {
        const { data } = (await get(`/logic/measures?decisionId=${decisionId}&step=day`)) as {
          data: { count: number }[];
        };
        return data.reduce((sum, { count }) => sum + count, 0) >= 3 + 2 * rounds;
      });
    });
  });

  it('has turns while such executions are read, explained and told to an agent', async () => {
    await requireTurns(async () => {
      await get(`/logic/executions/${recorded}`);
      await get(`/logic/executions/${recorded}/explanation`);
      await get('/logic/executions?size=100');
      await call('large', { n: 330_000 });
      await call('explain_execution', { executionId: recorded });
    });
  });

  it('has turns while they and change requests are read as pages to print, whose length is bounded', async () => {
    const { id } = (await scene.caller.post('/logic/environments', { name: 'Printed' })).body as { id: string };
    await protect(scene.caller, id);
    // A page writes each quote as five characters, and a name in the path of each field below it.
    const value = "'".repeat(65_000);
    const changes = Array.from({ length: 15 }, (_, at) => ({ type: 'variable', name: `V${at}`, value }));
    const asked = await scene.caller.post('/logic/change-requests', { environmentId: id, title: 'T', changes });
    const fields = Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`f${at}`, at]));
    const whole = await execute({ n: 330_000 });
    const named = await execute({ n: 1, ['k'.repeat(900_000)]: fields });
    const quoted = await execute({ n: 1, text: "'".repeat(900_000) });
    // An explanation tells the cell of the row that matched, in which quotes are opened and never closed.
    const cell = `not(contains($, '${'“'.repeat(100_000)}'))`;
    const opened = await scene.deployed(
      'opened.json',
      deciding([{ _id: 'a', age: cell, size: '', fee: '1' }]),
      environmentId,
    );
    const told = await execute({ age: 'x' }, opened.decisionId);
    await requireTurns(async () => {
      const pages = [whole, named, quoted, told].map((of) => `/logic/executions/${of}/explanation`);
      for (const page of [...pages, `/logic/change-requests/${(asked.body as { id: string }).id}`]) {
        const printed = await scene.caller.get(page, { Accept: 'text/html' });
        expect(printed.status, printed.text.slice(0, 300)).to.equal(200);
        expect(printed.text.length).to.be.below(1024 * 1024);
      }
    });
  });

  it('has turns while documents are checked whose first tag never ends', async () => {
    const xmls = ['<definitions ', '<definitions"" ', "<definitions '", '<x:definitions "'].map((tag) =>
      tag.repeat(5000),
    );
    const decisions = [...xmls, ...xmls].map((xml, at) => ({
      key: `${at}.dmn`,
      content: { contentType: 'application/dmn+xml', xml },
    }));
    await requireTurns(async () => {
      const { status, text } = await scene.caller.post('/logic/validations', { decisions });
      expect(status, text.slice(0, 300)).to.equal(200);
    });
  });

  it('has turns while a shadow and a replay compare them', async () => {
    const { decisionId: decided } = await scene.deployed('compared.json', large('#'), environmentId);
    await scene.decision('compared.json', large('# + 1'));
    const compared = { decisionId: decided, environmentId };
    const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
    const shadow = await scene.caller.post('/logic/shadows', { ...compared, version: 2, sample: 1, expiresAt });
    expect(shadow.status, shadow.text).to.equal(201);
    await requireTurns(async () => {
      await execute({ n: 330_000 }, decided);
      const { id } = shadow.body as { id: string };
      await eventually(async () => {
        const { report } = (await get(`/logic/shadows/${id}`)) as {
          report: { replayed: number; skipped: Record<string, number> };
        };
        return report.replayed + Object.values(report.skipped).reduce((sum, one) => sum + one, 0) >= 1;
      });
      const started = await scene.caller.post('/logic/replays', { ...compared, candidate: { version: 2 } });
      await ended(scene.caller, (started.body as { id: string }).id);
    });
  });

  it('has turns while a report of 3,000 rows is made and read, of a file of as many facts', async () => {
    const other = await scene.decision('rows.json', expressing({ text: "'before ' + string(n)" }));
    await scene.deploy(other, environmentId, 1);
    await scene.decision('rows.json', expressing({ text: "'after ' + string(n)" }));
    const csv = `n\n${Array.from({ length: 3000 }, (_, at) => `${at}\n`).join('')}`;
    await requireTurns(async () => {
      const answer = await scene.caller.post(`/logic/${environmentId}/decisions/${other}/batches`, csv, asCsv);
      expect(answer.text.match(/COMPLETED/g)).to.have.length(3000);
      const request = { decisionId: other, environmentId, candidate: { version: 2 } };
      const started = await scene.caller.post('/logic/replays', request);
      const { id } = await ended(scene.caller, (started.body as { id: string }).id);
      await get(`/logic/replays/${id}`);
      await get(`/logic/replays/${id}/differences?size=500`);
    });
  });

  it('has turns while a large file is run, brought into a table, and brought out of it', async () => {
    const decision = await scene.decision('table.json', deciding([{ _id: 'a', age: '', size: '', fee: '1' }]));
    await scene.deploy(decision, environmentId, 1);
    const facts = `age,size\n${Array.from({ length: rows }, (_, at) => `${at},${at % 7}\n`).join('')}`;
    await requireTurns(async () => {
      const answer = await scene.caller.post(`/logic/${environmentId}/decisions/${decision}/batches`, facts, asCsv);
      expect(answer.text.match(/COMPLETED/g)).to.have.length(rows);
      const table = `age,size,fee\n${Array.from({ length: 10_000 }, (_, at) => `> ${at},"""${at % 7}""",${at}\n`).join('')}`;
      const converted = await scene.caller.post('/logic/conversions/table', table, asCsv);
      expect(converted.status, converted.text.slice(0, 300)).to.equal(200);
    });
  });

  it(`has turns while a stream of ${streamMiB} MiB is run`, async () => {
    const small = await scene.decision('streamed.json', expressing({ text: 'string(len(list))' }));
    await scene.deploy(small, environmentId, 1);
    const list = Array.from({ length: 10_000 }, (_, at) => at + 10_000);
    const line = `${JSON.stringify({ fact: { list } })}\n`;
    const lines = Math.ceil((streamMiB * 1024 * 1024) / line.length);
    await requireTurns(async () => {
      const answer = await scene.caller.post(
        `/logic/${environmentId}/decisions/${small}/batches`,
        line.repeat(lines),
        asLines,
      );
      expect(answer.text.match(/COMPLETED/g)).to.have.length(lines);
    });
  });

  it('has turns while a file is refused whose facts would be many times its size', async () => {
    const titles = Array.from({ length: 20 }, (_, at) => `${'t'.repeat(995)}${at}`).join(',');
    const csv = `${titles}\n${`${Array.from({ length: 20 }, () => '1').join(',')}\n`.repeat(2900)}`;
    await requireTurns(async () => {
      expect((await scene.caller.post(`${path}/batches`, csv, asCsv)).status).to.equal(413);
    });
  });

  it('has turns while lists whose items are as large as they may be are read, as pages and as files', async () => {
    const { id } = (await scene.caller.post('/logic/environments', { name: 'Protected' })).body as { id: string };
    await protect(scene.caller, id);
    // Long when it is written as JSON, and again when that is.
    const value = '\n"'.repeat(16_000);
    const changes = Array.from({ length: 12 }, (_, at) => ({ type: 'variable', name: `V${at}`, value }));
    for (let made = 0; made < largeItems; made++) {
      const asked = await scene.caller.post('/logic/change-requests', { environmentId: id, title: 'T', changes });
      expect(asked.status, asked.text.slice(0, 300)).to.equal(201);
      await scene.caller.put(`/logic/environments/${environmentId}/variables/V${made}`, { value });
    }
    await requireTurns(async () => {
      for (const path of ['/logic/change-requests', `/logic/environments/${environmentId}/variables`]) {
        await get(`${path}?size=${largeItems}`);
        const file = await scene.caller.get(path, { Accept: 'text/csv' });
        expect(file.status, file.text.slice(0, 300)).to.equal(200);
      }
    });
  });
});
