import { expect } from 'chai';
import type { ConvertAnswer } from '../../../workers/sheets/tasks.js';
import { approval, dmn } from '../../support/dmn.js';
import { convertCsv, withTable } from '../../support/sheets.js';

interface Column {
  readonly id: string;
  readonly name: string;
  readonly field: string;
}

interface Table {
  readonly inputs: readonly Column[];
  readonly outputs: readonly Column[];
  readonly rules: readonly Readonly<Record<string, string>>[];
}

/** The columns of a plain file, its notes, and what is told of it. */
function converted(rows: readonly string[], outputs: readonly string[] | null = null): unknown {
  const answer = convertCsv(rows, { outputs });
  const { content } = JSON.parse(answer.converted) as { content: { nodes: readonly { content: Table }[] } };
  return { ...shown(content.nodes[1]!.content), told: toldOf(answer.diagnostics) };
}

const shown = ({ inputs, outputs, rules }: Table): object => ({
  inputs: inputs.map(({ name }) => name),
  outputs: outputs.map(({ name }) => name),
  notes: rules.map(({ _description: note = null }) => note),
});

const toldOf = (diagnostics: ConvertAnswer['diagnostics']): readonly string[] =>
  diagnostics.map(({ severity = 'error', message }) => `${severity} ${message}`);

const taken = (cell: string, title = 'Note'): string =>
  `warning Rules!${cell}: \`${title}\` is taken as the note of each row, which is neither asked nor given. ` +
  'If it is, give the column another name.';

describe('a column of a file that is called as the notes of a table', () => {
  it('is the note of each row of a new table, and told', () => {
    expect(converted(['Age,Fee,Note', '> 65,5,for seniors', '18,7,'])).to.deep.equal({
      ...{ inputs: ['Age'], outputs: ['Fee'] },
      notes: ['for seniors', null],
      told: [taken('C1')],
    });
  });

  for (const title of [
    ...['Notes', 'Comment', 'COMMENTS', 'Remark', 'Remarks', 'Kommentar', 'Bemerkungen', 'Huomautus', 'Nota', 'Notas'],
    ...[
      'Internal notes',
      'Hinweis',
      'Hinweise',
      'Interne Bemerkung',
      'Bemerkung (intern)',
      'Remarques',
      'Note interne',
    ],
    ...[
      'Opmerking',
      'Uwagi',
      'Osservazioni',
      'Notas internas',
      'Observación',
      'Comments / remarks',
      'Sisäinen huomautus',
    ],
  ])
    it(`whatever the language and the number: ${title}`, () =>
      expect(converted([`Age,Fee,${title}`, '> 65,5,see memo 12', '18,7,-'])).to.deep.equal({
        ...{ inputs: ['Age'], outputs: ['Fee'], notes: ['see memo 12', '-'], told: [taken('C1', title)] },
      }));

  it('between others leaves their sides as they would be without it', () => {
    expect(converted(['Age,note,Income,Fee', '> 65,for seniors,5,1'])).to.deep.equal({
      ...{ inputs: ['Age', 'Income'], outputs: ['Fee'] },
      notes: ['for seniors'],
      told: [taken('B1', 'note')],
    });
  });

  it('stays a column where somebody says that it is one, and where its cells are no words', () => {
    const rows = ['Age,Fee,Note', '> 65,5,for seniors'];
    expect(converted(rows, ['Fee,Note'])).to.deep.include({ outputs: ['Fee', 'Note'], notes: [null], told: [] });
    expect(converted(['Fach,Note,Punkte', 'Kunst,1.3,15', 'Sport,2,12'])).to.deep.include({
      ...{ inputs: ['Fach', 'Note'], outputs: ['Punkte'], told: [] },
    });
  });

  it('is one of words, of which some are short: no marks of a school, and no codes', () => {
    const of = (...notes: readonly string[]) =>
      (converted(['Age,Fee,Note', ...notes.map((note, at) => `${at},${at + 5},${note}`)]) as { outputs: unknown })
        .outputs;
    expect(of('formal entry', 'H1', '', 'peak')).to.deep.equal(['Fee']);
    expect(of('1', '2', '3', '4')).to.include('Note');
    expect(of('H1', 'Q1', 'B', 'peak')).to.include('Note');
  });

  for (const title of ['Note type', 'Grade note', 'Notary', 'Notation', 'Hinweispflicht', 'Internal', 'Commentary fee'])
    it(`is none that is called ${title}`, () =>
      expect(converted([`Age,Fee,${title}`, '> 65,5,see memo 12', '18,7,-'])).to.deep.include({ notes: [null, null] }));

  const content: Table & { hitPolicy: string } = {
    hitPolicy: 'first',
    inputs: [{ id: 'a', name: 'Age', field: 'age' }],
    outputs: [{ id: 'f', name: 'Fee', field: 'fee' }],
    rules: [{ _id: 'r', a: '> 65', f: '5' }],
  };
  const brought = (table: Table, csv: string): unknown => {
    const model = { nodes: [{ id: 't', type: 'decisionTableNode', name: 'Fees', content: table }], edges: [] };
    const found = withTable(JSON.stringify(model), 't', { bytes: Buffer.from(csv), format: 'csv' });
    const { nodes } = JSON.parse(found.model) as { nodes: readonly { content: Table }[] };
    return { ...shown(nodes[0]!.content), told: toldOf(found.diagnostics) };
  };

  it('is the note of each row of a table that it is brought into, unless the table has such a column', () => {
    expect(brought(content, 'Age,Fee,Note\n> 65,5,for seniors\n')).to.deep.equal({
      ...{ inputs: ['Age'], outputs: ['Fee'], notes: ['for seniors'], told: [taken('C1')] },
    });
    const outputs = [...content.outputs, { id: 'n', name: 'Note', field: 'note' }];
    expect(brought({ ...content, outputs }, 'Age,Fee,Note\n> 65,5,"""x y"""\n')).to.deep.equal({
      ...{ inputs: ['Age'], outputs: ['Fee', 'Note'], notes: [null], told: [] },
    });
  });

  it('is the description of each rule of a table of DMN', () => {
    const csv =
      'Applicant Age,Amount,Approval,Note\n< 18,-,"""no""",too young\n>= 18,<= 1000,"""yes""",\n>= 18,> 1000,"""ask""",\n';
    const found = withTable(JSON.stringify(dmn(approval)), 'approval', { bytes: Buffer.from(csv), format: 'csv' });
    expect(toldOf(found.diagnostics)).to.deep.equal([taken('D1')]);
    const { xml } = JSON.parse(found.model) as { xml: string };
    expect(xml).to.equal(
      approval.replace('<rule id="young">', '<rule id="young"><description>too young</description>'),
    );
  });
});
