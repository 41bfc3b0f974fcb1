import { expect } from 'chai';
import { cellsOf, exportedTable, fileOf, withTable } from '../../support/sheets.js';

type Cells = readonly string[];

const named = (name: string): object => ({ id: name, name, field: name.toLowerCase() });
const heads = ['Score', 'Loan', 'Rate', 'Setup fee', 'Notes'];
const rows: readonly Cells[] = [
  ['> 700', '"car"', '0.03', '90', '"see 4"'],
  ['> 600', '"car"', '0.05', '120', '"risky"'],
  ['', '', '0.09', '250', '"ask"'],
];
const model = JSON.stringify({
  nodes: [
    {
      ...{ id: 't', type: 'decisionTableNode', name: 'Prices' },
      content: {
        hitPolicy: 'first',
        inputs: heads.slice(0, 2).map(named),
        outputs: heads.slice(2).map(named),
        rules: rows.map((cells, at) => ({
          _id: `r${at}`,
          ...Object.fromEntries(heads.map((head, i) => [head, cells[i]])),
        })),
      },
    },
  ],
  edges: [],
});

/** The columns of the table after its file was brought in with other ones: those of before have their ids. */
function columnsAfter(edit: (cells: Cells, row: number) => (string | undefined)[]): object {
  const { sheet, hidden } = cellsOf(exportedTable(model, 't'));
  const shown = sheet.map(([key, ...cells], row) => {
    const { length } = heads;
    return [key, ...edit(cells.slice(0, length) as string[], row), cells[length]];
  });
  const answer = withTable(model, 't', { bytes: fileOf({ sheet: shown, hidden }) });
  interface Column {
    readonly id: string;
    readonly name: string;
    readonly field: string;
  }
  const { nodes } = JSON.parse(answer.model) as { nodes: [{ content: Record<'inputs' | 'outputs', Column[]> }] };
  const told = ({ id, name, field }: Column): string => (heads.includes(id) ? `${id} = ${name}` : `new ${field}`);
  const { inputs, outputs } = nodes[0].content;
  return { inputs: inputs.map(told), outputs: outputs.map(told) };
}

const inputs = ['Score = Score', 'Loan = Loan'];

describe('a column of an exported table that has another name is the one', () => {
  it('that holds the same, wherever columns went and came', () => {
    const edited = columnsAfter(([score, loan, rate, fee], row) =>
      row === 0 ? [score, 'LTV', loan, rate, 'Arrangement fee'] : [score, '<= 0.8', loan, rate, fee],
    );
    expect(edited).to.deep.equal({
      inputs: ['Score = Score', 'new LTV', 'Loan = Loan'],
      outputs: ['Rate = Rate', 'Setup fee = Arrangement fee'],
    });
  });

  it('that has most in common, though another one is nearer', () => {
    const edited = columnsAfter(([score, loan, rate, , notes], row) => [
      score,
      loan,
      row === 0 ? 'Interest' : rate,
      row === 0 ? 'Remark' : notes,
    ]);
    expect(edited).to.deep.equal({ inputs, outputs: ['Rate = Interest', 'Notes = Remark'] });
  });

  it('at the same place between its neighbours, where it has anything in common', () => {
    const edited = columnsAfter(([score, loan, rate, fee, notes], row) => [
      score,
      loan,
      rate,
      row === 0 ? 'Fee' : row === 1 ? fee : '7',
      notes,
    ]);
    expect(edited).to.deep.equal({ inputs, outputs: ['Rate = Rate', 'Setup fee = Fee', 'Notes = Notes'] });
  });

  it('and a new one where it is like none, or nothing says which', () => {
    const bonus = columnsAfter(([score, loan, rate, fee], row) => [
      score,
      loan,
      rate,
      fee,
      row === 0 ? 'Bonus' : String(row),
    ]);
    expect(bonus).to.deep.equal({ inputs, outputs: ['Rate = Rate', 'Setup fee = Setup fee', 'new Bonus'] });
    const other = columnsAfter(([score, loan, rate, fee], row) => [
      score,
      loan,
      rate,
      row === 0 ? 'Fee' : row === 1 ? fee : '7',
    ]);
    expect(other).to.deep.equal({ inputs, outputs: ['Rate = Rate', 'new Fee'] });
  });
});
