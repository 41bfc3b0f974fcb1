import { expect } from 'chai';
import { useApp } from '../support/app.js';
import { call, type Answer } from '../support/http.js';
import { calling, doubling } from '../support/models.js';
import { logicHeaders, useScene } from '../support/scene.js';

const bell = '\u0007';
const red = '\u001b[31m';
const rightToLeft = '\u202e';
/** Names of members that every object of JavaScript has. */
const inherited = ['__proto__', 'constructor', 'toString', 'hasOwnProperty'];

describe('hostile keys', () => {
  const app = useApp();
  const scene = useScene(app);

  const refused = [
    ...['../x', 'a/../../x', '/etc/passwd', 'a//b', 'a/.', './a', '', ' ', ' a', 'a\\b', 'C:\\x', '..'],
    ...[`a${bell}`, `${red}a`, 'a\u0000', 'a\nb', 'a\u007f', 'a\u009b', 'k'.repeat(513), '\ud800'],
    '01934f5e-7a20-7e91-a5c7-3d8f1b6e4c03',
  ];
  for (const key of refused) {
    it(`refuses ${JSON.stringify(key).slice(0, 40)} at every door`, async () => {
      const content = doubling(2);
      const id = await scene.write('there.json', content);
      const item = { decisions: [{ key, content }] };
      const answers: Answer[] = [
        await scene.caller.post('/logic/decisions', { key, content }),
        await scene.caller.patch(`/logic/decisions/${id}`, { key }),
        await scene.caller.post('/logic/imports', item),
        await scene.caller.post('/logic/validations', item),
        await scene.caller.post('/logic/evaluations', { key, content, fact: {} }),
      ];
      for (const [door, { status, body, text }] of answers.entries()) {
        expect([door, status, (body as { code: string }).code], text).to.deep.equal([door, 400, 'validation_failed']);
        requireHarmless(text);
      }
      const filter = encodeURIComponent(key.toWellFormed());
      for (const query of [`key=${filter}`, `prefix=${filter}x`]) {
        const { status, body, text } = await scene.caller.get(`/logic/decisions?${query}`);
        expect(status, text).to.equal(200);
        expect((body as { data: object[] }).data).to.deep.equal([]);
      }
    });
  }

  it('are not the name by which agents know another decision', async () => {
    const { environmentId, decisionId } = await scene.deployed('a/b.json', doubling(2));
    await scene.deployed('a b.json', doubling(3), environmentId);
    const name = `a_b-${decisionId.slice(-12)}`;
    await scene.deployed(`${name}.json`, doubling(4), environmentId);
    const answer = await scene.caller.post(`/mcp/${environmentId}`, {
      ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
      params: { name, arguments: { x: 1 } },
    });
    const { result } = answer.body as { result: { structuredContent: object } };
    expect(result.structuredContent).to.deep.include({ result: { y: 2 } });
  });

  it('takes names that objects inherit, long ones and other writing systems as what they are', async () => {
    const keys = [
      ...inherited,
      'k'.repeat(512),
      'пример.json',
      '😀/例',
      `a${rightToLeft}b`,
      "';DROP TABLE decisions;--",
    ];
    const decisions = keys.map((key, factor) => ({ key, content: doubling(factor) }));
    const { status, text, body } = await scene.caller.post('/logic/imports', { decisions, save: true });
    expect(status, text).to.equal(200);
    const { decisions: made } = body as { decisions: { id: string; key: string }[] };
    expect(made.map(({ key }) => key)).to.deep.equal(keys.map((key) => key.normalize('NFC')));
    for (const [factor, { id, key }] of made.entries()) {
      const { body: page } = await scene.caller.get(`/logic/decisions?key=${encodeURIComponent(key)}`);
      expect((page as { data: { id: string }[] }).data.map((one) => one.id)).to.deep.equal([id]);
      const run = await scene.caller.post(`/logic/decisions/${id}/evaluations`, { version: 1, fact: { x: 3 } });
      expect((run.body as { result: unknown }).result).to.deep.equal({ y: 3 * factor });
      const calls = { content: calling(key), fact: { x: 3 } };
      const draft = await scene.caller.post('/logic/evaluations', calls);
      expect((draft.body as { result: unknown }).result, key).to.deep.equal({ y: 3 * factor });
    }
  });
});

describe('models whose every name is hostile', () => {
  const app = useApp();
  const scene = useScene(app);

  /** As JSON, since a literal's `__proto__` is no member. */
  const model = (name: string, fee: number): string => `{
    "tests": [{"name": ${quoted(name)}, "input": {${quoted(name)}: 70}, "output": {${quoted(name)}: ${fee + 1}}}],
    ${quoted(name)}: {"polluted": true},
    "nodes": [
      {"id": "in", "type": "inputNode", "name": ${quoted(name)}},
      {"id": ${quoted(name)}, "type": "decisionTableNode", "name": ${quoted(`${name}2`)}, "content": {
        "hitPolicy": "first",
        "inputs": [{"id": "i", "name": ${quoted(name)}, "field": "n"}],
        "outputs": [{"id": ${quoted(`${name}o`)}, "name": ${quoted(name)}, "field": "fee"}],
        "rules": [{"_id": ${quoted(name)}, "i": "", ${quoted(`${name}o`)}: "${fee}", ${quoted(name)}: "x"}]
      }},
      {"id": "out", "type": "outputNode", "name": ${quoted(`${name}3`)}}
    ],
    "edges": [
      {"id": ${quoted(name)}, "sourceId": "in", "targetId": ${quoted(name)}},
      {"id": "b", "sourceId": ${quoted(name)}, "targetId": "out"}
    ]
  }`;
  const quoted = (name: string): string => JSON.stringify(name);
  const send = (method: string, path: string, body: string): Promise<Answer> =>
    call(app.baseUrl + path, {
      method,
      headers: { ...logicHeaders(scene), 'Content-Type': 'application/json' },
      body,
    });

  it('are refused with their places where a request is parsed whole: `__proto__` as a name, NUL, half a character', async () => {
    for (const [name, message] of [
      ['__proto__', 'is not allowed as a name'],
      ['\u0000', 'must not contain the NUL character'],
      ['\ud800', 'must not contain a lone surrogate'],
    ] as const) {
      const { status, text } = await send('POST', '/logic/decisions', `{"key":"k","content":${model(name, 5)}}`);
      expect(status, text).to.equal(400);
      expect(text).to.include(message).and.include('"pointer":"/content/tests/0/input/');
      requireHarmless(text);
    }
  });

  for (const name of [...inherited, `${red}red${bell}`, '\u0000', '../../x', "';--", '<script>', 'a/b~c']) {
    it(`lives its life: ${JSON.stringify(name)}`, async () => {
      const key = `k${Buffer.from(name).toString('hex')}.json`;
      const ok = (answer: Answer): Answer => {
        expect(answer.status, answer.text).to.be.within(200, 201);
        requireHarmless(answer.text);
        return answer;
      };
      const bring = (fee: number, save: boolean): Promise<Answer> =>
        send('POST', '/logic/imports', `{"decisions":[{"key":"${key}","content":${model(name, fee)}}],"save":${save}}`);
      const made = ok(await bring(5, true)).body as { decisions: { id: string }[] };
      ok(await bring(6, false));
      const one = `/logic/decisions/${made.decisions[0]?.id ?? ''}`;
      const { body: differences } = ok(await scene.caller.get(`${one}/versions/1/differences/0`));
      const { rows } = differences as { rows: { nodeId: string; ruleId: string; cells: object[] }[] };
      expect(rows.map(({ nodeId, ruleId, cells }) => [nodeId, ruleId, cells])).to.deep.equal([
        [name, name, [{ column: `${name}o`, before: '5', after: '6' }]],
      ]);
      const { text: stored } = ok(await scene.caller.get(`${one}/versions/1`));
      expect(stored).to.include(quoted(name));
      const { body: report } = ok(await send('POST', `${one}/tests`, '{"version":1}'));
      const { coverage, tests } = report as { coverage: { rules: object[] }; tests: { name: string }[] };
      expect(coverage.rules).to.deep.equal([{ nodeId: name, ruleId: name, hits: 1 }]);
      expect(tests.map((test) => test.name)).to.deep.equal([name]);
      ok(await scene.caller.get(`${one}/versions/1/schema`));
      const run = ok(await send('POST', `${one}/evaluations`, '{"version":1,"fact":{"n":1}}'));
      expect((run.body as { result: unknown }).result).to.deep.equal({ fee: 5 });
    });
  }
});

/** Nothing that a terminal would act on: JSON escapes control characters. */
function requireHarmless(text: string): void {
  expect(JSON.stringify(/[\u0000-\u0009\u000b-\u001f]/.exec(text)?.[0])).to.equal(undefined);
}
