import { expect } from 'chai';
import type { ModelDifferences } from '../../../../workers/models/compare/itemDifferences.js';
import { compareModels } from '../../../../workers/models/compare/modelDifferences.js';
import { differencesText } from '../../../../src/cli/remote/differencesText.js';
import { approval, definitions, dmn } from '../../../support/dmn.js';

const compared = (change: (xml: string) => string, before = approval): ModelDifferences => {
  const after = change(before);
  expect(after).to.not.equal(before);
  return compareModels(dmn(before), dmn(after));
};
const none = { nodes: [], edges: [], rows: [] };

const types = definitions(`
  <itemDefinition id="tk" name="tKind"><typeRef>string</typeRef><allowedValues><text>"a", "b"</text></allowedValues></itemDefinition>
  <inputData id="kind" name="Kind"><variable name="Kind" typeRef="tKind"/></inputData>
  <businessKnowledgeModel id="fee" name="Fee"><encapsulatedLogic><formalParameter name="k"/><literalExpression><text>1</text></literalExpression></encapsulatedLogic></businessKnowledgeModel>
  <decision id="price" name="Price"><knowledgeRequirement><requiredKnowledge href="#fee"/></knowledgeRequirement>
    <literalExpression><text>Fee("a")</text></literalExpression></decision>`);

describe('two versions of a DMN document', () => {
  it('differ in the cell of a rule, by the name of its input or output', () => {
    const { rows, ...others } = compared((xml) => xml.replace('<text>&lt;= 1000</text>', '<text>&lt;= 2000</text>'));
    expect(others).to.deep.equal({ nodes: [], edges: [] });
    expect(rows).to.deep.equal([
      {
        nodeId: 'approval',
        nodeName: 'Approval',
        ruleId: 'small',
        change: 'changed',
        position: { from: 1, to: 1 },
        cells: [{ column: 'Amount', before: '<= 1000', after: '<= 2000' }],
      },
    ]);
    const output = compared((xml) => xml.replace('<text>"ask"</text>', '<text>"no"</text>'));
    expect(output.rows[0]?.cells).to.deep.equal([{ column: 'Approval', before: '"ask"', after: '"no"' }]);
  });

  it('tell which rules came, went and moved', () => {
    const [, young = ''] = /(<rule id="young">.*?<\/rule>)/.exec(approval) ?? [];
    const [, large = ''] = /(<rule id="large">.*?<\/rule>)/.exec(approval) ?? [];
    const changes = ({ rows }: ModelDifferences): unknown => rows.map(({ ruleId, change }) => [ruleId, change]);
    expect(changes(compared((xml) => xml.replace(young, '')))).to.deep.equal([['young', 'removed']]);
    expect(changes(compared((xml) => xml.replace(large, large.replace('large', 'new') + large)))).to.deep.equal([
      ['new', 'added'],
    ]);
    expect(changes(compared((xml) => xml.replace(young, '').replace(large, large + young)))).to.deep.equal([
      ['young', 'moved'],
    ]);
  });

  it('differ in a column that is new, cell by cell, and in what the table is', () => {
    const { nodes, rows } = compared((xml) =>
      xml
        .replace('hitPolicy="UNIQUE"', 'hitPolicy="ANY"')
        .replace(
          '<output id="o"',
          '<input id="i3"><inputExpression><text>Kind</text></inputExpression></input><output id="o"',
        )
        .replaceAll('<outputEntry>', '<inputEntry><text>"a"</text></inputEntry><outputEntry>'),
    );
    expect(rows.map(({ cells }) => cells)).to.deep.equal(rows.map(() => [{ column: 'Kind', after: '"a"' }]));
    expect(rows).to.have.length(3);
    const [node] = nodes;
    expect(node).to.include({ id: 'approval', name: 'Approval', type: 'decision', change: 'changed' });
    expect(node?.fields.map(({ pointer }) => pointer)).to.include('/decisionTable/hitPolicy');
  });

  it('differ in item definitions, expressions and requirements, by name', () => {
    const { nodes, edges } = compared(
      (xml) =>
        xml
          .replace('"a", "b"', '"a", "b", "c"')
          .replace('Fee("a")', '2')
          .replace('<knowledgeRequirement><requiredKnowledge href="#fee"/></knowledgeRequirement>', ''),
      types,
    );
    expect(nodes.map(({ name, type, fields }) => [name, type, fields])).to.deep.equal([
      ['tKind', 'itemDefinition', [{ pointer: '/allowedValues/text', before: '"a", "b"', after: '"a", "b", "c"' }]],
      ['Price', 'decision', [{ pointer: '/literalExpression/text', before: 'Fee("a")', after: '2' }]],
    ]);
    expect(edges).to.have.length(1);
    expect(edges[0]).to.include({ change: 'removed', source: 'fee', sourceName: 'Fee', targetName: 'Price' });
  });

  it('tell which elements came and went', () => {
    const { nodes } = compared((xml) => xml.replace(/<inputData .*<\/inputData>/, ''), types);
    expect(nodes.map(({ name, type, change }) => [name, type, change])).to.deep.equal([
      ['Kind', 'inputData', 'removed'],
    ]);
  });

  it('know an element by its name where a modeler gave it another id', () => {
    const renamed = compared((xml) => xml.replaceAll('"#fee"', '"#f2"').replace('id="fee"', 'id="f2"'), types);
    expect(renamed.nodes.map(({ name, change }) => [name, change])).to.deep.equal([['Fee', 'changed']]);
  });

  it('do not differ by layout, by extensions, by the order of elements, or by how a tag is written', () => {
    const layout =
      '<dmndi:DMNDI xmlns:dmndi="https://www.omg.org/spec/DMN/20230324/DMNDI/"><dmndi:DMNDiagram/></dmndi:DMNDI></definitions>';
    expect(compared((xml) => xml.replace('</definitions>', layout))).to.deep.equal(none);
    expect(compared((xml) => xml.replaceAll('\n  ', '\n      '))).to.deep.equal(none);
    const [data = ''] = /<inputData id="age".*<\/inputData>/.exec(approval) ?? [];
    const last = `${data}</definitions>`;
    expect(compared((xml) => xml.replace(data, '').replace('</definitions>', last))).to.deep.equal(none);
    expect(compareModels(dmn(approval), dmn(approval))).to.deep.equal(none);
  });

  it('differ in their tests as models of JDM do', () => {
    const test = { name: 'a', input: {}, output: {} };
    const { fields } = compareModels(dmn(approval, []), dmn(approval, [test]));
    expect(fields).to.deep.equal([{ pointer: '/tests', before: [], after: [test] }]);
  });

  it('are told in names and numbers of rules on a terminal', () => {
    const found = compared((xml) => xml.replace('<text>&lt;= 1000</text>', '<text>&lt;= 2000</text>'));
    const text = differencesText(found, 'two versions');
    expect(text).to.equal('changed rule 2 of "Approval"\n    Amount: <= 1000 → <= 2000');
  });
});
