import { expect } from 'chai';
import type { Fault, Model } from '../../../src/console/api/types.js';
import { placedFaults } from '../../../src/console/dmn/faults.js';
import { repaired, repairGroups } from '../../../src/console/editor/repairs.js';
import { modelOf } from '../../../src/console/dmn/model.js';
import { documentOf } from '../../../src/console/dmn/write.js';
import { withColumnChanged, withColumnInserted, withoutColumn } from '../../../src/console/editor/columnEdits.js';
import { rowsOf, textOf, type Fields } from '../../../src/console/graph/fields.js';
import { compileDmn } from '../../../workers/engine/index.js';
import { approval } from '../../support/dmn.js';
import { lending } from '../../support/dmnDocument.js';

const read = (xml: string): Model => modelOf(xml, undefined, () => new Map());

const contentIn = ({ nodes }: Model, nodeId: string): Fields =>
  (nodes.find(({ id }) => id === nodeId)?.content ?? {}) as Fields;

/** The model with another content of its table. */
const changed = (model: Model, nodeId: string, change: (content: Fields) => Fields): Model => ({
  ...model,
  nodes: model.nodes.map((node) => (node.id === nodeId ? { ...node, content: change(node.content as Fields) } : node)),
});

const written = (xml: string, nodeId: string, change: (content: Fields) => Fields): string =>
  documentOf(changed(read(xml), nodeId, change));

/** A table as a list of rows, with the names of its columns above them. */
function tableIn(xml: string, nodeId: string): readonly (readonly string[])[] {
  const content = contentIn(read(xml), nodeId);
  const columns = [...rowsOf(content, 'inputs'), ...rowsOf(content, 'outputs')];
  const cells = rowsOf(content, 'rules').map((rule) => columns.map(({ id }) => textOf(rule[textOf(id)]).trim()));
  return [columns.map(({ name }) => textOf(name)), ...cells];
}

const column = (name: string, field: string, typeRef: string) => (before: Fields) => ({
  ...before,
  name,
  field,
  typeRef,
});

/** The decision of the approval without the letter about it. */
const alone = approval.replace(/ {2}<decision id="letter"[\s\S]*?<\/decision>/, '');

function run(xml: string): unknown {
  const { program, diagnostics } = compileDmn(xml);
  expect(diagnostics.map(({ message }) => message)).to.deep.equal([]);
  const fact = { 'Applicant Age': 40, Amount: 500 };
  const outcome = program.run(fact, { trace: false, now: 0, deadline: Infinity, random: () => 0.5 });
  return outcome.status === 'COMPLETED' ? outcome.result : outcome.message;
}

describe('columns and hit policies of a document of DMN', () => {
  it('changes the hit policy and its aggregator, and nothing else of the text', () => {
    const to = (xml: string, hitPolicy: string) => written(xml, 'offer', (content) => ({ ...content, hitPolicy }));
    expect(to(lending, 'ANY')).to.equal(lending.replace('"FIRST"', '"ANY"'));
    const counted = to(lending, 'COLLECT COUNT');
    // A count is no text: the decision does not say any more that it gives one. The column of its texts says it as before.
    const untyped = lending.replace('<dmn:variable name="Offer" typeRef="string"/>', '<dmn:variable name="Offer"/>');
    expect(counted).to.equal(
      untyped.replace('<dmn:decisionTable id="offers" hitPolicy="FIRST">', (tag) =>
        tag.replace('<dmn:decisionTable', '<dmn:decisionTable aggregation="COUNT"').replace('FIRST', 'COLLECT'),
      ),
    );
    expect(to(counted, 'UNIQUE')).to.equal(untyped.replace('"FIRST"', '"UNIQUE"'));
  });

  it('has another input in each of its rules, in its place', () => {
    const xml = written(lending, 'offer', (content) =>
      withColumnInserted(content, 'inputs', 1, column('Customer since', 'Since', 'date')),
    );
    expect(tableIn(xml, 'offer')).to.deep.equal([
      ['Risk', 'Customer since', 'Limit', 'Offer'],
      ['"high"', '-', '-', '"none"'],
      ['', '-', '>= 1000', '"gold"'],
      ['-', '-', '-', '"silver"'],
    ]);
    // What nobody changed is there as it was, in its order.
    let at = 0;
    for (const line of lending.split('\n')) {
      if (line.includes('dmn:rule') || line.includes('outputEntry')) continue;
      expect(xml.indexOf(line, at), line).to.be.at.least(at);
      at = xml.indexOf(line, at);
    }
    expect(xml).to.match(
      /<dmn:input id="_\w+" label="Customer since"><dmn:inputExpression typeRef="date"><dmn:text>Since<\/dmn:text>/,
    );
  });

  it('keeps the cells of a rule where they are, with an extension between them, too', () => {
    const odd = lending.replaceAll('<dmn:outputEntry', '<dmn:extensionElements/><dmn:outputEntry');
    const xml = written(odd, 'offer', (content) =>
      withColumnInserted(content, 'inputs', 0, column('Since', 'Since', 'date')),
    );
    expect(tableIn(xml, 'offer')[1]).to.deep.equal(['-', '"high"', '-', '"none"']);
    expect(xml).to.include('<dmn:inputEntry><dmn:text>-</dmn:text></dmn:inputEntry><dmn:inputEntry id="e1">');
  });

  it('loses the columns that were taken away, and gets others before, between and behind the rest', () => {
    const xml = written(lending, 'offer', (content) => {
      const without = withoutColumn(content, 0);
      const first = withColumnInserted(without, 'inputs', 0, column('', 'Risk Class', ''));
      const last = withColumnInserted(first, 'inputs', 2, column('Old & new', 'Since', 'date'));
      const output = withColumnInserted(last, 'outputs', 0, column('Rate', 'rate', 'number'));
      return withColumnInserted(output, 'outputs', 2, column('Fee', 'fee', 'number'));
    });
    expect(tableIn(xml, 'offer')).to.deep.equal([
      ['Risk Class', 'Limit', 'Old & new', 'Rate', 'Offer', 'Fee'],
      ['-', '-', '-', '', '"none"', ''],
      ['-', '>= 1000', '-', '', '"gold"', ''],
      ['-', '-', '-', '', '"silver"', ''],
    ]);
    expect(xml).to.include('<dmn:annotation name="Why"/>').and.not.include('id="i1"').and.not.include('id="e1"');
    expect(
      tableIn(
        written(xml, 'offer', (content) => withoutColumn(content, 2, 3)),
        'offer',
      )[0],
    ).to.deep.equal([...['Risk Class', 'Limit', 'Offer', 'Fee']]);
  });

  it('names a column otherwise, and reads or writes another field, in its attributes alone', () => {
    const input = written(lending, 'offer', (content) =>
      withColumnChanged(content, 0, column('Risk "A"', 'Risk Class', 'string')),
    );
    expect(input).to.equal(lending.replace('label="Risk"', 'label="Risk &quot;A&quot;"'));
    const read = written(lending, 'offer', (content) => withColumnChanged(content, 1, column('Cap', 'Limit / 2', '')));
    expect(read).to.equal(
      lending
        .replace('<dmn:input id="i2">', '<dmn:input label="Cap" id="i2">')
        .replace('<dmn:inputExpression typeRef="number"><dmn:text>Limit<', '<dmn:inputExpression><dmn:text>Limit / 2<'),
    );
    const output = written(lending, 'offer', (content) =>
      withColumnChanged(content, 2, column('Offer', 'kind', 'string')),
    );
    expect(output).to.equal(lending.replace('name="offer"', 'name="kind"'));
  });

  it('writes cells, rows and columns that were changed together', () => {
    const xml = written(lending, 'offer', (content) => {
      const next = withColumnInserted(content, 'inputs', 0, column('Since', 'Since', 'date'));
      const id = textOf(rowsOf(next, 'inputs')[0]?.['id']);
      const [first = {}, ...rest] = rowsOf(next, 'rules');
      return {
        ...next,
        rules: [...rest, { ...first, [id]: '< date("2020-01-01")' }, { _id: '1f', [id]: '-', out0: '"new"' }],
      };
    });
    expect(tableIn(xml, 'offer').slice(1)).to.deep.equal([
      ['-', '', '>= 1000', '"gold"'],
      ['-', '-', '-', '"silver"'],
      ['< date("2020-01-01")', '"high"', '-', '"none"'],
      ['-', '', '', '"new"'],
    ]);
  });

  it('runs as it is now: another policy, another column, an object of two outputs', () => {
    const result = (change: (content: Fields) => Fields): unknown => run(written(alone, 'approval', change));
    expect(result((content) => content)).to.deep.equal({ Approval: 'yes' });
    expect(result((content) => ({ ...content, hitPolicy: 'COLLECT' }))).to.deep.equal({ Approval: ['yes'] });
    expect(result((content) => ({ ...content, hitPolicy: 'COLLECT COUNT' }))).to.deep.equal({ Approval: 1 });
    // Without the amounts two rules match.
    expect(result((content) => withoutColumn(content, 1))).to.deep.equal({ Approval: null });
    expect(result((content) => ({ ...withoutColumn(content, 1), hitPolicy: 'FIRST' }))).to.deep.equal({
      Approval: 'yes',
    });
    const two = result((content) => {
      const next = withColumnInserted(content, 'outputs', 1, column('Fee', 'fee', 'number'));
      const id = textOf(rowsOf(next, 'outputs')[1]?.['id']);
      return { ...next, rules: rowsOf(next, 'rules').map((rule, at) => ({ ...rule, [id]: String(at * 10) })) };
    });
    expect(two).to.deep.equal({ Approval: { Approval: 'yes', fee: 10 } });
  });

  it('has the types of DMN 1.1 with the prefix that the document gives them', () => {
    const old = approval
      .replace(
        'https://www.omg.org/spec/DMN/20230324/MODEL/"',
        'http://www.omg.org/spec/DMN/20151101/dmn.xsd" xmlns:feel="http://www.omg.org/spec/FEEL/20140401"',
      )
      .replaceAll('typeRef="', 'typeRef="feel:');
    const xml = written(old, 'approval', (content) =>
      withColumnInserted(content, 'outputs', 1, column('Fee', 'fee', 'number')),
    );
    expect(xml).to.include('label="Fee" name="fee" typeRef="feel:number"/>');
  });

  it('has its faults at the cells of the columns that are on the desk', () => {
    const model = changed(read(lending), 'offer', (content) =>
      withColumnInserted(content, 'inputs', 0, column('Since', 'Since', 'date')),
    );
    const fault: Omit<Fault, 'pointer'> = {
      ...{ severity: 'error', key: 'a.dmn', nodeId: 'offer', node: 'Offer', field: null, message: '', hint: null },
      ...{ line: null, column: null, excerpt: null },
    };
    const at = (entry: number) => ({
      ...fault,
      pointer: `/definitions/decision[2]/decisionTable/rule[2]/inputEntry[${entry}]`,
    });
    const placed = placedFaults(documentOf(model), [at(1), at(2), at(3)], model);
    const ids = rowsOf(contentIn(model, 'offer'), 'inputs').map(({ id }) => textOf(id));
    expect(placed.map(({ pointer }) => pointer)).to.deep.equal(ids.map((id) => `/nodes/5/content/rules/1/${id}`));
    expect(ids.slice(1)).to.deep.equal(['in0', 'in1']);
  });

  it('has cells put right by what the service reads in them: by a button where that is one thing, else by an answer', () => {
    const model = changed(read(lending), 'offer', (content) =>
      withColumnInserted(content, 'inputs', 0, column('Sum', 'Sum', 'number')),
    );
    const [first = ''] = rowsOf(contentIn(model, 'offer'), 'inputs').map(({ id }) => textOf(id));
    const fault = (row: number, told: Partial<Fault>): Fault => ({
      ...{ severity: 'warning', key: 'a.dmn', nodeId: 'offer', node: 'Offer', field: null, message: '', hint: null },
      ...{ pointer: `/nodes/5/content/rules/${row}/${first}`, line: 1, column: 3, excerpt: null, ...told },
    });
    const faults = [fault(0, { repair: '< 18' }), fault(1, { readings: ['[10..20]', '[10000..20000]'] }), fault(2, {})];
    const groups = repairGroups(model, faults);
    expect(groups.map(({ choices, cells }) => [choices, cells.map(({ row }) => row)])).to.deep.equal([
      [1, [0]],
      [2, [1]],
    ]);
    const mended = groups.reduce((before, group) => repaired(before, group, group.choices - 1), model);
    const cells = rowsOf(contentIn(mended, 'offer'), 'rules').map((row) => textOf(row[first]));
    expect(cells.slice(0, 3)).to.deep.equal(['< 18', '[10000..20000]', '-']);
  });
});
