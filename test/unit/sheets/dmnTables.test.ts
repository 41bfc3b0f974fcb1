import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { projectRoot } from '../../../db/root.js';
import { readDefinitions } from '../../../workers/engine/index.js';
import { defaultLimits } from '../../../workers/engine/limits.js';
import { workOnSheet } from '../../../workers/sheets/work.js';
import { approval, dmn } from '../../support/dmn.js';

const limits = { limits: defaultLimits, timeLimitMs: 60_000 };
const part = (nodeId: string) => ({ kind: 'table', nodeId, decisionId: 'd' }) as const;

function exported(xml: string, nodeId: string, format: 'csv' | 'xlsx'): Uint8Array | null {
  const text = JSON.stringify(dmn(xml));
  const answer = workOnSheet({ kind: 'exportSheet', text, part: part(nodeId), format }, limits);
  return 'bytes' in answer ? answer.bytes : null;
}

interface Brought {
  readonly xml: string;
  readonly faults: readonly string[];
  readonly rows: readonly { ruleId: string | null; change: string; cells: object[] }[];
}

function imported(xml: string, nodeId: string, bytes: Uint8Array, format: 'csv' | 'xlsx'): Brought {
  const text = JSON.stringify(dmn(xml));
  const answer = workOnSheet({ kind: 'importSheet', text, part: part(nodeId), bytes, format }, limits);
  if (!('imported' in answer) || answer.imported === null) throw new Error(JSON.stringify(answer));
  const { document, differences, diagnostics, conflicts } = answer.imported;
  expect(conflicts).to.deep.equal([]);
  const model = JSON.parse(Buffer.from(document.text).toString()) as { xml: string };
  const { rows } = JSON.parse(differences) as { rows: Brought['rows'] };
  return { xml: model.xml, faults: diagnostics.map(({ message }) => message), rows };
}

const csvOf = (xml: string): string => Buffer.from(exported(xml, 'approval', 'csv') ?? []).toString();
const bring = (csv: string, xml = approval): Brought => imported(xml, 'approval', Buffer.from(csv), 'csv');

/** The kit, where it is: beside the project, or where `DMN_TCK` says. */
const folder = process.env['DMN_TCK'] ?? path.join(projectRoot, '../shared/dmn-tck');
const documents = existsSync(folder)
  ? readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.dmn'))
      .map((file) => readFileSync(path.join(folder, file), 'utf8'))
      .filter((xml) => xml.includes('decisionTable'))
  : [approval];

describe('a decision table of DMN as a sheet', () => {
  it('that goes out and comes in again leaves every byte of the document, of the kit’s too', () => {
    let tables = 0;
    for (const xml of documents) {
      for (const { id } of readDefinitions(xml).parts) {
        for (const format of ['csv', 'xlsx'] as const) {
          const bytes = exported(xml, id, format);
          if (bytes === null) continue;
          tables++;
          const { xml: again, faults } = imported(xml, id, bytes, format);
          expect(again, id).to.equal(xml);
          expect(faults, id).to.deep.equal([]);
        }
      }
    }
    expect(tables).to.be.at.least(2);
  });

  it('keeps rules that are moved and taken out as they were written', () => {
    const [head = '', young = '', small = '', large = ''] = csvOf(approval).split('\n');
    const [, ruleOfYoung = ''] = /(<rule id="young">.*?<\/rule>)/.exec(approval) ?? [];
    const [, ruleOfLarge = ''] = /(<rule id="large">.*?<\/rule>)/.exec(approval) ?? [];
    const moved = bring([head, large, young, small, ''].join('\n')).xml;
    expect(moved.indexOf(ruleOfLarge)).to.be.lessThan(moved.indexOf(ruleOfYoung));
    const shorter = bring([head, young, small, ''].join('\n')).xml;
    expect(shorter).to.not.include('"ask"');
    expect(shorter).to.include(ruleOfYoung);
  });

  it('gets new rules, with ids of their own and texts that XML can hold', () => {
    const { xml, rows } = bring(`${csvOf(approval)}< 3,,"""a & b""",new\n`);
    expect(rows).to.have.length(1);
    expect(rows[0]?.change).to.equal('added');
    expect(xml).to.match(
      /<rule id="[A-Za-z_][^"]*"><description>new<\/description><inputEntry><text>&lt; 3<\/text><\/inputEntry><inputEntry><text>-<\/text><\/inputEntry><outputEntry><text>"a &amp; b"<\/text><\/outputEntry><\/rule>/,
    );
    expect(csvOf(xml)).to.include('< 3,\'-,"""a & b""",new');
  });

  it('gets numbers that may be thousands, of a file with semicolons, with a warning of each column that has some', () => {
    const { xml, faults } = bring(`${csvOf(approval)}< 1.234,,"""x""",\n`.replaceAll(',', ';'));
    expect(xml).to.include('&lt; 1.234<');
    expect(faults.filter((message) => message.includes('thousand'))).to.deep.equal([
      'Rules!A5: "< 1.234" may be a thousand, as semicolons separate the cells: its point is read as one before decimals. Leave it out of thousands in this column.',
    ]);
  });

  it('has annotations as notes of rules, which are written where they stood', () => {
    const noted = approval
      .replace('<rule id="young">', '<annotation name="Why"/><rule id="young">')
      .replace(/(<rule id="young">.*?)(<\/rule>)/, '$1<annotationEntry><text>by law</text></annotationEntry>$2')
      .replace('<rule id="small">', '<rule id="small"><description>small sums</description>');
    const csv = csvOf(noted);
    expect(csv.split('\n').map((line) => line.split(',').at(-1))).to.deep.equal([
      '_description',
      'by law',
      'small sums',
      '',
      '',
    ]);
    expect(bring(csv, noted).xml).to.equal(noted);
    const { xml, rows } = bring(csv.replace('by law', 'by a law').replace('small sums', 'small'), noted);
    expect(xml).to.equal(noted.replace('by law', 'by a law').replace('small sums', 'small'));
    expect(rows.map(({ ruleId, change }) => [ruleId, change])).to.deep.equal([
      ['young', 'changed'],
      ['small', 'changed'],
    ]);
  });

  it('is written with the prefix that the document has', () => {
    const prefixed = approval
      .replaceAll(/<(\/?)([a-zA-Z])/g, '<$1dmn:$2')
      .replace('<dmn:definitions xmlns=', '<dmn:definitions xmlns:dmn=');
    const { xml } = bring(`${csvOf(prefixed)}< 3,,"""x""",\n`.replace('<= 1000', '<= 7'), prefixed);
    expect(xml).to.include('<dmn:text>&lt;= 7</dmn:text>').and.to.include('</dmn:outputEntry></dmn:rule>');
    expect(csvOf(xml)).to.include('< 3,\'-,"""x"""');
  });
});
