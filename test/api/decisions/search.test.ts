import { expect } from 'chai';
import { useApp } from '../../support/app.js';
import type { Answer } from '../../support/http.js';
import { approval, definitions, dmn } from '../../support/dmn.js';
import { doubling, type Model } from '../../support/models.js';
import { buildScene, useFreshScene } from '../../support/scene.js';
import { bodyOf } from '../../support/asserts.js';

const path = '/logic/decisions';

const node = (id: string, type: string, name: string, content: object = {}): object => ({ id, type, name, content });

/** A table, a function and a request with a schema, each with words of its own. */
const rich = (): Model => ({
  nodes: [
    node('in', 'inputNode', 'Application', {
      schema: JSON.stringify({ type: 'object', properties: { applicantAge: { type: 'number' } } }),
    }),
    node('table', 'decisionTableNode', 'Rates by score', {
      hitPolicy: 'first',
      inputs: [{ id: 'c1', name: 'Credit score', field: 'creditScore' }],
      outputs: [{ id: 'c2', name: 'Rate', field: 'rate' }],
      rules: [
        { _id: 'r1', c1: '>= 750', c2: '"Persönlich"' },
        { _id: 'r2', c1: '', c2: '50%_off' },
      ],
    }),
    node('fn', 'functionNode', 'Score', { source: 'export const handler = async (input) => ({ bonus: 1 });' }),
  ],
  edges: [
    { id: 'e1', sourceId: 'in', targetId: 'table' },
    { id: 'e2', sourceId: 'in', targetId: 'fn' },
  ],
});

describe('the search of decisions', () => {
  const app = useApp();
  const scene = useFreshScene(app);
  const made = async (key: string, content: Model): Promise<string> =>
    (bodyOf(await scene.caller.post(`${path}?force=true`, { key, content }), 201) as { id: string }).id;
  const search = (text: string, more = ''): Promise<Answer> =>
    scene.caller.get(`${path}?search=${encodeURIComponent(text)}${more}`);
  const keysOf = ({ status, text, body }: Answer): string[] => {
    expect(status, text).to.equal(200);
    return (body as { data: { key: string }[] }).data.map(({ key }) => key);
  };

  it('finds keys, names of nodes, columns and fields, cells, functions and fields of the request', async () => {
    await made('rich.json', rich());
    await made('other.json', doubling(2));
    const texts = ['ich.js', 'rates BY', 'creditscore', 'Credit score', 'bonus: 1', 'applicantAge'];
    // With quotes and other letters, and with what LIKE would read as any letters.
    texts.push('"PERSÖNLICH"', '50%_off');
    for (const text of texts) expect(keysOf(await search(text)), text).to.deep.equal(['rich.json']);
  });

  it('finds names, types, columns, cells, expressions and descriptions of a document of DMN', async () => {
    const xml = definitions(`
      <itemDefinition name="tKind"><typeRef>string</typeRef><allowedValues><text>"Car", "R&amp;D"</text></allowedValues></itemDefinition>
      <inputData id="i1" name="Applicant Age"><variable name="Applicant Age" typeRef="number"/></inputData>
      <decision id="i2" name="Rates by score"><question>Which rate is offered?</question>
        <informationRequirement><requiredInput href="#i1"/></informationRequirement>
        <decisionTable id="i3" hitPolicy="FIRST"><input label="Years"><inputExpression><text>Applicant Age</text></inputExpression></input>
        <output name="yearly"/><rule><description>for the young</description><inputEntry><text>&lt; 25</text></inputEntry>
        <outputEntry><text><![CDATA["Persönlich" + "<b>"]]></text></outputEntry></rule>
        <rule><inputEntry><text>&gt;= 25</text></inputEntry><outputEntry><text>&quot;K&#228;se&quot;</text></outputEntry></rule></decisionTable></decision>`);
    await made('rates.dmn', dmn(xml));
    await made('other.dmn', dmn(approval));
    const texts = ['ates.dm', 'rates BY', 'tKind', 'YEARS', 'yearly', '< 25', '>= 25', 'for the young', 'offered?'];
    texts.push('"PERSÖNLICH"', '"<b>', '"Käse"', 'R&D');
    for (const text of texts) expect(keysOf(await search(text)), text).to.deep.equal(['rates.dmn']);
    for (const text of ['i1', 'hitPolicy', 'FIRST', 'decisionTable', 'DMN/2023', 'nowhere'])
      expect(keysOf(await search(text)), text).to.deep.equal([]);
  });

  it('finds neither ids nor the words of the format, nor anything else', async () => {
    await made('rich.json', rich());
    for (const text of ['r1', 'decisionTableNode', 'hitPolicy', 'sourceId', '50x', 'nowhere'])
      expect(keysOf(await search(text)), text).to.deep.equal([]);
  });

  it('gives whole pages in the order of the list, both ways, and with a prefix', async () => {
    for (let at = 0; at < 7; at++) await made(`${at % 2 ? 'odd' : 'even'}/${at}.json`, doubling(at < 5 ? 77 : 2));
    const first = await search('* 77', '&size=2&order=key');
    expect(keysOf(first)).to.deep.equal(['even/0.json', 'even/2.json']);
    const { page } = first.body as { page: { size: number; total: number; after: string } };
    expect([page.size, page.total]).to.deep.equal([2, 7]);
    const second = await search('* 77', `&size=2&order=key&after=${page.after}`);
    expect(keysOf(second)).to.deep.equal(['even/4.json', 'odd/1.json']);
    const { before } = (second.body as { page: { before: string } }).page;
    expect(keysOf(await search('* 77', `&size=1&order=key&before=${before}`))).to.deep.equal(['even/2.json']);
    expect(keysOf(await search('* 77', '&order=desc'))).to.deep.equal([
      ...['even/4.json', 'odd/3.json', 'even/2.json', 'odd/1.json', 'even/0.json'],
    ]);
    expect(keysOf(await search('* 77', '&prefix=odd/'))).to.deep.equal(['odd/1.json', 'odd/3.json']);
  });

  it('looks at all decisions, of which most lack the text', async () => {
    const decisions = Array.from({ length: 450 }, (_, at) => ({ key: `d${at}.json`, content: doubling(at) }));
    const imported = await scene.caller.post('/logic/imports', { decisions });
    expect(imported.status, imported.text).to.equal(200);
    expect(keysOf(await search('x * 449'))).to.deep.equal(['d449.json']);
    const { body } = await search('x * 9999');
    expect((body as { page: object }).page).to.deep.equal({ size: 0, total: 450, after: null, before: null });
  });

  it('sees nothing of another workspace', async () => {
    const other = await buildScene(app);
    await other.caller.post(`${path}?force=true`, { key: 'rich.json', content: rich() });
    expect(keysOf(await search('creditScore'))).to.deep.equal([]);
  });
});
