import { expect } from 'chai';
import { createModelWork } from '../../../workers/models/index.js';
import { defaultRunLimits } from '../../../workers/protocol.js';
import { approval, definitions, dmn } from '../../support/dmn.js';
import { chain, expressions, programOf, type TestNode } from '../../support/tasks.js';

interface Schemas {
  readonly input: { readonly properties?: object };
  readonly output: { readonly properties?: object };
}

const work = createModelWork(defaultRunLimits);

/** What is inferred of nodes, one after the other, the first of several levels of decisions. */
async function schemasOf(nodes: readonly TestNode[], others: Readonly<Record<string, object>>): Promise<Schemas> {
  const { bundle } = programOf(chain(...nodes), others);
  const answer = await work.work<'schema'>('workspace', { kind: 'schema', bundle });
  if ('reason' in answer) throw new Error(answer.message);
  return JSON.parse(answer.schemas) as Schemas;
}

/** A node that runs another decision. */
const running = (key: string, more: object = {}): TestNode => ({
  type: 'decisionNode',
  content: { key, passThrough: true, ...more },
});
const writing = (values: Record<string, string>): TestNode => {
  const { type, content } = expressions(values);
  return { type, content: { ...(content as object), passThrough: true } };
};

const fee = chain(expressions({ fee: "weight * 2 + (zone == 'home' ? 0 : 5)" }));
const zoneAndWeight = { zone: { type: 'string' }, weight: { type: 'number' } };

describe('schemas of a decision that runs others', () => {
  it('have what each level reads of the fact', async () => {
    const outer = chain(writing({ price: 'count * 3' }), running('fee'));
    const { input } = await schemasOf([running('outer')], { fee, outer });
    expect(input.properties).to.deep.equal({ count: { type: 'number' }, ...zoneAndWeight });
  });

  it('ask the caller for no field that a node before has written', async () => {
    const { input } = await schemasOf([writing({ weight: 'sum(weights)' }), running('fee')], { fee });
    expect(input.properties).to.have.all.keys('weights', 'zone');
  });

  it('ask for no such field however it is read, by its bare name, of the root, in the head of a column, or by another decision', async () => {
    const base = chain(expressions({ 'Base price (EUR)': 'weight * 2' }));
    const table: TestNode = {
      type: 'decisionTableNode',
      content: {
        passThrough: true,
        inputs: [{ id: 'i', name: 'Base price (EUR)', field: '$root["Base price (EUR)"]' }],
        outputs: [{ id: 'o', name: 'Class', field: 'Class' }],
        rules: [{ _id: 'r', i: '> $root["Free up to"]', o: '$root["Base price (EUR)"] * 2' }],
      },
    };
    const reading = chain(table, writing({ rest: '$root["Base price (EUR)"] - ($root["VAT"] ?? 0)' }));
    for (const nodes of [
      [running('base'), table, writing({ rest: '$root["Base price (EUR)"] - ($root["VAT"] ?? 0)' })],
      [running('base'), running('reading')],
    ]) {
      const { input } = await schemasOf(nodes, { base, reading });
      expect(input.properties).to.have.all.keys('weight', 'Free up to', 'VAT');
    }
  });

  it('have what is read of a part of the fact, and of the items of a list, in their places', async () => {
    const part = await schemasOf([running('fee', { inputField: 'order.parcel', outputPath: 'cost' })], { fee });
    expect(part.input.properties).to.deep.equal({
      order: { type: 'object', properties: { parcel: { type: 'object', properties: zoneAndWeight } } },
    });
    expect(part.output.properties).to.deep.equal({
      cost: { type: 'object', properties: { fee: { type: 'number' } } },
    });
    const list = await schemasOf([running('fee', { inputField: 'parcels', executionMode: 'loop' })], { fee });
    expect(list.input.properties).to.deep.equal({
      parcels: { type: 'array', items: { type: 'object', properties: zoneAndWeight } },
    });
  });

  it('have what is read of a fact that the other decision hands on with its result', async () => {
    const handing = chain(writing({ half: 'weight / 2' }));
    const { input } = await schemasOf(
      [running('handing', { passThrough: false }), expressions({ y: "half > 1 and colour == 'red'" })],
      { handing },
    );
    expect(input.properties).to.deep.equal({ weight: { type: 'number' }, colour: { type: 'string' } });
    const keeping = chain(expressions({ half: 'weight / 2' }));
    const kept = await schemasOf(
      [running('keeping', { passThrough: false }), expressions({ y: "half > 1 and colour == 'red'" })],
      { keeping },
    );
    expect(kept.input.properties).to.deep.equal({ weight: { type: 'number' } });
  });

  it('have what the other decision declares, in whatever kind of model', async () => {
    const declared = { type: 'object', properties: { zone: { type: 'string' }, parts: { type: 'integer' } } };
    const declaring = chain(expressions({ fee: '1' })) as { nodes: { content?: unknown }[] };
    declaring.nodes[0]!.content = { schema: JSON.stringify(declared) };
    const { input } = await schemasOf([running('declaring')], { declaring });
    expect(input.properties).to.deep.equal({ zone: { type: 'string' }, parts: { type: 'number' } });
    const tabled = await schemasOf([running('approval', { passThrough: false })], { approval: dmn(approval) });
    expect(tabled.input.properties).to.have.property('Applicant Age');
  });

  it('have the input data of documents that a document of DMN imports, as their own and called by JDM', async () => {
    const input = (type: string): string =>
      `<inputData id="i" name="Age"><variable name="Age" typeRef="${type}"/></inputData>`;
    const base = dmn(definitions(input('number'), 'urn:base'));
    const importing = (own: string): object =>
      dmn(
        definitions(
          `<import name="base" namespace="urn:base" locationURI="base.dmn" importType="https://www.omg.org/spec/DMN/20230324/MODEL/"/>${own}
          <decision id="d" name="D"><variable name="D"/><informationRequirement><requiredInput href="urn:base#i"/></informationRequirement><literalExpression><text>base.Age</text></literalExpression></decision>`,
        ),
      );
    const age = { type: ['number', 'null'] };
    const called = await schemasOf([running('main.dmn')], { 'main.dmn': importing(''), 'base.dmn': base });
    expect(called.input.properties).to.deep.equal({ Age: { type: ['null', 'number'] } });
    for (const [own, expected] of [
      ['', age],
      [input('string'), { type: ['string', 'null'] }],
    ] as const) {
      const { bundle } = programOf(importing(own), { 'base.dmn': base });
      const answer = await work.work<'schema'>('workspace', { kind: 'schema', bundle });
      if ('reason' in answer) throw new Error(answer.message);
      expect((JSON.parse(answer.schemas) as Schemas).input.properties).to.deep.equal({ Age: expected });
    }
  });

  it('end where decisions run each other, where one is absent, and where many are shared', async () => {
    const circling = chain(running('circling'), expressions({ y: 'left + 1' }));
    expect((await schemasOf([running('circling')], { circling })).input.properties).to.have.key('left');
    expect((await schemasOf([running('absent'), expressions({ y: 'left + 1' })], {})).input).to.deep.include({
      properties: { left: { type: 'number' } },
    });
    const levels = Array.from({ length: 60 }, (_, at) => [
      `d${at}`,
      chain(running(`d${at + 1}`), running(`d${at + 1}`)),
    ]);
    const shared = { ...(Object.fromEntries(levels) as Record<string, object>), d60: fee };
    expect((await schemasOf([running('d0')], shared)).input.properties).to.deep.equal(zoneAndWeight);
  });
});
