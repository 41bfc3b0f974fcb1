import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { bootApp, useApp } from '../../support/app.js';
import { expectProblem } from '../../support/asserts.js';
import { call, type Answer } from '../../support/http.js';
import { calling, doubling, expressing, type Model } from '../../support/models.js';
import { buildScene, logicHeaders, useFreshScene } from '../../support/scene.js';
import { isLong } from '../../support/environment.js';

interface Report {
  readonly revision: number;
  readonly decisions: readonly {
    readonly id: string | null;
    readonly key: string;
    readonly version: number;
    readonly change: string;
  }[];
  readonly faults: readonly Record<string, unknown>[];
}

const missing = (): Model => calling('nowhere.json');
const path = '/logic/imports';

describe('POST /logic/imports', () => {
  const app = useApp();
  const scene = useFreshScene(app);

  const items = (models: Readonly<Record<string, Model>>): object[] =>
    Object.entries(models).map(([key, content]) => ({ key, content }));
  const bring = (models: Readonly<Record<string, Model>>, options: object = {}): Promise<Answer> =>
    scene.caller.post(path, { decisions: items(models), ...options });
  const reportOf = ({ status, text, body }: Answer): Report => {
    expect(status, text).to.equal(200);
    return body as Report;
  };
  const keysOf = async (): Promise<string[]> => {
    const { body } = await scene.caller.get('/logic/decisions?order=key');
    return (body as { data: { key: string }[] }).data.map(({ key }) => key);
  };

  it('leaves a working copy with faults that is stored as it comes, and refuses another with faults beside it', async () => {
    const faulty = expressing({ a: '1 +' });
    const forced = await scene.caller.post(`${path}?force=true`, { decisions: items({ 'bad.json': faulty }) });
    expect(forced.status, forced.text).to.equal(200);
    const again = reportOf(await bring({ 'bad.json': faulty, 'good.json': doubling(2) }));
    expect(again.decisions.map(({ key, change }) => ({ key, change }))).to.deep.equal([
      { key: 'bad.json', change: 'unchanged' },
      { key: 'good.json', change: 'created' },
    ]);
    expect(again.faults).to.have.length(1);
    const other = await bring({ 'bad.json': faulty, 'worse.json': faulty });
    expect(other.status, other.text).to.equal(422);
    expect((await bring({ 'bad.json': faulty }, { save: true })).status).to.equal(422);
    expect(await keysOf()).to.deep.equal(['bad.json', 'good.json']);
  });

  it('makes decisions, then updates what has changed and leaves the rest', async () => {
    const first = reportOf(await bring({ 'a.json': doubling(2), 'b.json': calling('a.json') }));
    const [a, b] = first.decisions;
    expect(first).to.deep.equal({
      revision: 1,
      decisions: [
        { id: a?.id, key: 'a.json', version: 0, change: 'created' },
        { id: b?.id, key: 'b.json', version: 0, change: 'created' },
      ],
      faults: [],
    });
    const second = reportOf(await bring({ 'b.json': calling('a.json'), 'a.json': doubling(3) }));
    expect(second).to.deep.equal({
      revision: 2,
      decisions: [
        { id: b?.id, key: 'b.json', version: 0, change: 'unchanged' },
        { id: a?.id, key: 'a.json', version: 0, change: 'updated' },
      ],
      faults: [],
    });
    expect(reportOf(await bring({ 'a.json': doubling(3) })).revision, 'nothing has changed').to.equal(2);
    expect((await scene.caller.get('/logic/decisions')).headers['x-workspace-revision']).to.equal('2');
  });

  it('saves a version of each that has changed, with the message', async () => {
    await bring({ 'a.json': doubling(2), 'b.json': calling('a.json'), 'c.json': doubling(9) }, { save: true });
    const again = reportOf(
      await bring(
        { 'a.json': doubling(3), 'b.json': calling('a.json'), 'c.json': doubling(9) },
        { save: true, message: 'Rates' },
      ),
    );
    expect(again.decisions.map(({ key, version, change }) => [key, version, change])).to.deep.equal([
      ['a.json', 2, 'updated'],
      ['b.json', 2, 'updated'],
      ['c.json', 1, 'unchanged'],
    ]);
    const versions = await scene.caller.get(`/logic/decisions/${again.decisions[0]?.id ?? ''}/versions`);
    const { data } = versions.body as { data: { version: number; message: string | null; savedBy: string }[] };
    expect(data.map(({ version, message, savedBy }) => [version, message, savedBy])).to.deep.equal([
      [1, null, `client:${scene.client.id}`],
      [2, 'Rates', `client:${scene.client.id}`],
    ]);
  });

  it('stores nothing where one model has an error, and tells all of them; warnings refuse nothing', async () => {
    const answer = await bring({
      'good.json': doubling(2),
      'bad.json': expressing({ y: '1 +' }),
      'lost.json': missing(),
    });
    const { faults } = answer.body as Report;
    expectProblem(answer, 'model_has_faults', { instance: path, extensions: { faults } });
    expect(faults.map(({ severity, key, node, pointer }) => [severity, key, node, pointer])).to.deep.equal([
      ['error', 'bad.json', 'Calculation', '/nodes/1/content/expressions/0/value'],
      ['error', 'lost.json', 'Other', '/nodes/1/content/key'],
    ]);
    expect(await keysOf()).to.deep.equal([]);
    const model = doubling(2) as { edges: object[] };
    const odd = reportOf(await bring({ 'odd.json': { ...model, edges: [...model.edges, model.edges[0]] } }));
    expect(odd.faults.map(({ severity }) => severity)).to.deep.equal(['warning']);
  });

  it('stores errors with ?force=true, as working copies and never as versions', async () => {
    const body = { decisions: items({ 'lost.json': missing() }) };
    const forced = reportOf(await scene.caller.post(`${path}?force=true`, body));
    expect(forced.faults).to.have.length(1);
    expect((await scene.caller.post(`${path}?force=true`, { ...body, save: true })).status).to.equal(422);
    const { body: healed } = await bring({ 'nowhere.json': doubling(2) });
    expect((healed as Report).decisions).to.have.length(1);
    const { data } = (await scene.caller.get('/logic/decisions')).body as { data: { key: string; faults: number }[] };
    expect(data.map(({ key, faults }) => [key, faults])).to.deep.equal([
      ['lost.json', 0],
      ['nowhere.json', 0],
    ]);
  });

  it('with dryRun tells what would be, and stores nothing', async () => {
    await bring({ 'a.json': doubling(2) });
    const dry = reportOf(await bring({ 'a.json': doubling(3), 'b.json': doubling(2) }, { dryRun: true, save: true }));
    expect(dry.revision).to.equal(1);
    expect(dry.decisions.map(({ id, version, change }) => [id === null, version, change])).to.deep.equal([
      [false, 1, 'updated'],
      [true, 1, 'created'],
    ]);
    expect(await keysOf()).to.deep.equal(['a.json']);
  });

  it('of two from the same base lets one win', async () => {
    const answers = await Promise.all(
      [2, 3, 4].map((factor) => bring({ 'a.json': doubling(factor), 'b.json': doubling(factor) }, { base: 0 })),
    );
    expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, 412, 412]);
    const { data } = (await scene.caller.get('/logic/decisions')).body as { data: { contentHash: string }[] };
    expect(new Set(data.map(({ contentHash }) => contentHash)), 'both of one import').to.have.length(1);
    const lost = answers.find(({ status }) => status === 412);
    expectProblem(lost ?? answers[0]!, 'precondition_failed', { instance: path });
  });

  it('needs version:write as well to save', async () => {
    const author = await buildScene(app, { scopes: 'decision:write' });
    const body = { decisions: items({ 'a.json': doubling(2) }), save: true };
    expectProblem(await author.caller.post(path, body), 'insufficient_scope', {
      instance: path,
      headers: { 'www-authenticate': /insufficient_scope/ },
    });
    expect((await author.caller.post(path, { ...body, save: false })).status).to.equal(200);
  });

  it('refuses bodies that are not as they should be, each with its places', async () => {
    const model = doubling(2);
    const violations = async (body: unknown): Promise<unknown> => {
      const answer = await scene.caller.post(path, body);
      expect(answer.status, answer.text).to.equal(400);
      return (answer.body as { errors: { pointer: string; message: string }[] }).errors.map(({ pointer, message }) => [
        pointer,
        message,
      ]);
    };
    expect(
      await violations({
        decisions: [
          { key: '../x', content: model },
          { key: 'a\u0007', content: model },
          { key: 'a', content: [] },
          { content: model },
          { key: 1, content: model, more: 1 },
          5,
          { key: 'b', content: model },
          { key: 'b', content: model },
          { key: 'k'.repeat(513), content: model },
        ],
      }),
    ).to.have.deep.members([
      ['/decisions/0/key', 'has an empty, `.` or `..` part'],
      ['/decisions/1/key', 'has a control character or a backslash'],
      ['/decisions/2/content', 'must be object'],
      ['/decisions/3/key', 'is required'],
      ['/decisions/4/more', 'is not a known field'],
      ['/decisions/4/key', 'must be string'],
      ['/decisions/5', 'must be object'],
      ['/decisions/7/key', 'is the key of item 6 too'],
      ['/decisions/8/key', 'is longer than 512 characters'],
    ]);
    expect(await violations({ decisions: Array(10_001).fill(0) })).to.deep.equal([
      ['/decisions', 'must have at most 10000 items'],
    ]);
  });

  it('refuses what is no JSON, wherever that is', async () => {
    const item = JSON.stringify({ key: 'a', content: doubling(2) });
    const wrong = [
      '',
      '{"decisions":[',
      `{"decisions":[${item}`,
      `{"decisions":[${item},]}`,
      `{"decisions":[${item} ${item}]}`,
      `{"decisions":[${item.slice(0, -1)}]}`,
      `{"decisions":[${item}]} x`,
      `{"decisions":[${item}],"decisions":[]}`,
      `\ufeff{"decisions":[${item}]}`,
      Buffer.from([0x7b, 0xff, 0x7d]),
    ];
    for (const body of wrong) {
      const answer = await call(app.baseUrl + path, {
        method: 'POST',
        headers: { ...logicHeaders(scene), 'Content-Type': 'application/json' },
        body,
      });
      expect([answer.status, (answer.body as { code: string }).code], String(body)).to.deep.equal([
        400,
        'malformed_json',
      ]);
    }
  });

  it('keeps every digit, and reads white space, escapes and compression', async () => {
    const content = JSON.stringify(doubling(2)).replace('"nodes"', '"precise":123456789012345678901234567890,"nodes"');
    const text = ` { "d\\u0065cisions" :\n[ {"content": ${content} , "key" : "caf\\u00e9.json"} ]\t}`;
    const answer = await call(app.baseUrl + path, {
      method: 'POST',
      headers: { ...logicHeaders(scene), 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' },
      body: gzipSync(text),
    });
    const [made] = reportOf(answer).decisions;
    expect(made?.key).to.equal('café.json');
    const version = await scene.caller.get(`/logic/decisions/${made?.id ?? ''}/versions/0`);
    expect(version.text).to.include('"precise":123456789012345678901234567890');
  });

  const many = isLong ? 10_000 : 1500;
  it(`brings ${many} models at once, and writes one audit entry each`, async () => {
    const models = Object.fromEntries(Array.from({ length: many }, (_, n) => [`m/${n}.json`, doubling(n)]));
    const report = reportOf(await bring(models));
    expect(report.decisions).to.have.length(many);
    expect(report.revision).to.equal(1);
    expect(reportOf(await bring(models)).decisions.every(({ change }) => change === 'unchanged')).to.equal(true);
  });

  it('is refused beyond MAX_IMPORT_BYTES, with the rest of the connection intact', async () => {
    const small = await bootApp({ MAX_IMPORT_BYTES: '2000' });
    try {
      const own = await buildScene(small);
      const decisions = items({ 'a.json': expressing({ y: `'${'x'.repeat(3000)}'` }) });
      expectProblem(await own.caller.post(path, { decisions }), 'body_too_large', { instance: path });
      expect((await own.caller.post(path, { decisions: [] })).status).to.equal(200);
    } finally {
      await small.stop();
    }
  });
});

describe('POST /logic/validations', () => {
  const app = useApp();

  it('finds the faults of models as if they were in the workspace, and stores nothing', async () => {
    const scene = await buildScene(app);
    await scene.write('here.json', doubling(2));
    const decisions = [
      { key: 'x/a.json', content: calling('./b.json') },
      { key: 'x/b.json', content: calling('here.json') },
      { key: 'c.json', content: missing() },
      { key: 'd.json', content: {} },
    ];
    const { status, body } = await scene.caller.post('/logic/validations', { decisions });
    expect(status).to.equal(200);
    const { faults } = body as Report;
    expect(faults.map(({ key, severity, message }) => [key, severity, message])).to.deep.equal([
      ['c.json', 'error', 'There is no decision "nowhere.json".'],
      ['d.json', 'error', '`nodes` must be an array.'],
      ['d.json', 'error', '`edges` must be an array.'],
    ]);
    expect(Object.keys(faults[0] ?? {})).to.have.members(
      'severity key nodeId node field pointer message hint line column excerpt'.split(' '),
    );
    const { data } = (await scene.caller.get('/logic/decisions')).body as { data: object[] };
    expect(data).to.have.length(1);
  });
});
