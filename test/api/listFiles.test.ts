import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { parse } from 'csv-parse/sync';
import { expect } from 'chai';
import { useApp } from '../support/app.js';
import { expectProblem } from '../support/asserts.js';
import { eventually } from '../support/eventually.js';
import { call } from '../support/http.js';
import { logicHeaders, testDatabase, useFreshScene } from '../support/scene.js';
import { seedAuditEntries } from '../bench/seedAudit.js';

const csv = { Accept: 'text/csv' };
const entries = '/logic/audit-entries';

describe('a list as a file', () => {
  const app = useApp();
  const scene = useFreshScene(app);
  const rowsOf = (text: string): string[][] => parse(text, { bom: true, relaxColumnCount: true });
  const environments = async (names: readonly string[]): Promise<void> => {
    for (const name of names) expect((await scene.caller.post('/logic/environments', { name })).status).to.equal(201);
  };

  it('has all pages, each item once and in order, of 20,000 entries as of none', async () => {
    const count = 20_000;
    const none = await scene.caller.get(`${entries}?action=callback.rotate_secret`, csv);
    expect(rowsOf(none.text)).to.have.length(1);
    await seedAuditEntries(testDatabase(), scene, count);
    const { status, text } = await scene.caller.get(`${entries}?action=environment.update`, csv);
    expect(status).to.equal(200);
    const [header = [], ...rows] = rowsOf(text);
    const ids = rows.map((row) => row[header.indexOf('id')] ?? '');
    expect(ids).to.have.length(count);
    expect(new Set(ids).size).to.equal(count);
    expect(ids).to.deep.equal([...ids].sort());
    const turned = rowsOf((await scene.caller.get(`${entries}?action=environment.update&order=desc`, csv)).text);
    expect(turned.slice(1).reverse()).to.deep.equal(rows);
  });

  it('has the same filters as a page, begins behind a cursor, and is one page where a size is named', async () => {
    await environments(['One', 'Two', 'Three']);
    const names = async (query: string): Promise<string[]> =>
      rowsOf((await scene.caller.get(`/logic/environments${query}`, csv)).text)
        .slice(1)
        .flatMap((row) => row.filter((cell) => /^(One|Two|Three)$/.test(cell)));
    expect(await names('')).to.deep.equal(['One', 'Two', 'Three']);
    expect(await names('?size=2')).to.deep.equal(['One', 'Two']);
    const { body } = await scene.caller.get('/logic/environments?size=1');
    const { after } = (body as { page: { after: string } }).page;
    expect(await names(`?after=${after}`)).to.deep.equal(['Two', 'Three']);
    expect(await names(`?before=${after}`)).to.deep.equal([]);
    const future = await scene.caller.get(`${entries}?from=2999-01-01`, csv);
    expect(rowsOf(future.text)).to.have.length(1);
  });

  const preferences = {
    'application/json, text/csv;q=0.1': 'application/json',
    'text/csv;q=0': 'application/json',
    'text/csv;q=0.1, application/json;q=0': 'text/csv',
    'application/json;q=0.5, text/csv': 'text/csv',
    '*/*': 'application/json',
    'text/csv; charset=utf-8; header=present': 'text/csv',
    'text/csv;header="a;b, c\\"";q=0.2 , application/json ; charset=utf-8;q=0.1': 'text/csv',
    'text/csv; charset=utf-8;q=0.1, application/json': 'application/json',
  };
  for (const [accept, type] of Object.entries(preferences))
    it(`is what the client would rather have: ${accept}`, async () => {
      const { headers } = await scene.caller.get('/logic/environments', { Accept: accept });
      expect(headers['content-type']).to.match(new RegExp(`^${type};`));
      expect(headers['vary']).to.equal('Accept');
    });

  it('holds no formula, and texts of any kind as they are', async () => {
    const names = ['=1+1', '+49 30', '-2+3', '@SUM(A1)', 'a "quoted", one', 'two\nlines', 'Ä€😀', ';semi'];
    await environments(names);
    const { text } = await scene.caller.get('/logic/environments', csv);
    const [header = [], ...rows] = rowsOf(text);
    const cells = rows.map((row) => row[header.indexOf('name')]);
    expect(cells).to.deep.equal(names.map((name) => (/^[=+\-@]/.test(name) ? `'${name}` : name)));
  });

  it('has the mark of UTF-8 where any of it may need it, on whichever page, and not where none does', async () => {
    await environments(['One']);
    const text = async (): Promise<string> => (await scene.caller.get(entries, csv)).text;
    expect(await text()).to.match(/^id,/);
    await seedAuditEntries(testDatabase(), scene, 600);
    await environments(['Größe']);
    const whole = await text();
    expect(whole.slice(0, 150_000).indexOf('Größe'), 'it is beyond the first page').to.equal(-1);
    expect(whole)
      .to.include('Größe')
      .and.to.match(/^\ufeffid,/);
    expect((await scene.caller.get(`${entries}?size=1`, csv)).text).to.match(/^id,/);
  });

  it('is refused before its first byte as any other request', async () => {
    expectProblem(await scene.caller.get(`${entries}?size=0`, csv), 'validation_failed', {
      instance: entries,
      errors: [{ in: 'query', pointer: 'size', message: 'must be a whole number from 1 to 5000' }],
    });
    const missing = '/logic/decisions/01934f5e-7a60-7e08-9d13-4c2b8a5f1e07/versions';
    const answer = await scene.caller.get(missing, csv);
    expect([answer.status, answer.headers['content-type']]).to.deep.equal([404, 'application/problem+json']);
    const unsigned = await call(app.baseUrl + entries, { headers: csv });
    expect(unsigned.status).to.equal(401);
  });

  it('that nobody reads holds the memory of a piece, and gives it back when its client has gone', async () => {
    await seedAuditEntries(testDatabase(), scene, 20_000);
    const held = async (): Promise<number> => {
      const { body } = await call(`${app.adminUrl}/pool`);
      return (body as { bytesInFlight: number }).bytesInFlight;
    };
    const before = await held();
    const sent = httpRequest(app.baseUrl + entries, { headers: { ...logicHeaders(scene), ...csv } });
    sent.end();
    const [response] = (await once(sent, 'response')) as [{ pause(): void }];
    response.pause();
    const most = 16 * 1024 * 1024;
    for (let look = 0; look < 20; look++) expect((await held()) - before).to.be.below(most);
    sent.destroy();
    await eventually(async () => (await held()) <= before);
  });
});
