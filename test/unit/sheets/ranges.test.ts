import { expect } from 'chai';
import { defaultLimits } from '../../../workers/engine/limits.js';
import type { ConvertAnswer, ImportSheetAnswer } from '../../../workers/sheets/tasks.js';
import { workOnSheet } from '../../../workers/sheets/work.js';
import { convertCsv } from '../../support/sheets.js';

const limits = { limits: defaultLimits, timeLimitMs: 10_000 };
const convert = (rows: readonly string[], ranges: readonly string[] = []): ConvertAnswer =>
  convertCsv(rows, { ranges });

/** What the parameter can be, of each offer. */
const offered = (rows: readonly string[]): unknown =>
  convert(rows)
    .diagnostics.filter(({ pointer }) => pointer === '')
    .map(({ label, repair, readings = [repair] }) => [label, ...readings]);

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

/** Names of the inputs, and the cells of each rule. */
const tableOf = ({ converted }: ConvertAnswer): unknown => {
  const { content } = JSON.parse(converted) as { content: { nodes: readonly { content: Table }[] } };
  const { inputs, outputs, rules } = content.nodes[1]!.content;
  return [inputs.map(({ field }) => field), ...rules.map((rule) => [...inputs, ...outputs].map(({ id }) => rule[id]))];
};

describe('two columns that are the ends of one range', () => {
  it('are told, with what makes one input of them', () => {
    expect(convert(['Age from,Age to,Fee', '18,30,5', '30,65,3', '65,,1']).diagnostics[0]).to.deep.equal({
      code: 'model_invalid',
      severity: 'warning',
      label: 'Rules!A1:B1',
      pointer: '',
      repair: 'Age [Age from..Age to)',
      message:
        'Rules!A1:B1: `Age from` and `Age to` are two inputs, and a request has to have both. They may be the ends of one range.',
      hint: 'The parameter `range` (`--range`) makes one input of them: `Age [Age from..Age to)`, where the end is not within.',
    });
  });

  for (const [what, rows, ...readings] of [
    ['the next row begins at the same number', ['18,30', '30,65', '65,'], ')'],
    ['the next row begins after it', ['18,29', '30,64', '65,'], ']'],
    ['rows stand in another order', ['65,', '18,30', '30,65'], ')'],
    ['there is one row alone', ['18,30'], ')', ']'],
    ['some begin at it and some after it', ['18,30', '30,64', '65,80'], ')', ']'],
    ['a row is one number', ['18,18', '18,30'], ']'],
  ] as const) {
    it(`whether the end is within is told by the rows, where ${what}`, () => {
      expect(offered(['Age from,Age to,Fee', ...rows.map((row) => `${row},1`)])).to.deep.equal([
        ['Rules!A1:B1', ...readings.map((end) => `Age [Age from..Age to${end}`)],
      ]);
    });
  }

  for (const [from, to, name] of [
    ['Min LTV', 'Max LTV', 'LTV'],
    ['Alter von', 'Alter bis', 'Alter'],
    ['minScore', 'maxScore', 'score'],
    ['ltv_min_pct', 'ltv_max_pct', 'ltv_pct'],
    ['Age (from)', 'Age (to)', 'Age'],
    ['From age', 'To age', 'age'],
    ['Opening hour', 'Closing hour', 'hour'],
    ['Vuoro alkaa', 'Vuoro päättyy', 'Vuoro'],
    ['Poids de', 'Poids à', 'Poids'],
    ['Période du', 'Période au', 'Période'],
    ['Début de saison', 'Fin de saison', 'de saison'],
    ['from', 'to', ''],
  ] as const)
    it(`are known by their names: ${from} and ${to}`, () => {
      const text = `${name} [${from}..${to})`.trim();
      expect(offered([`${from},${to},Fee`, '18,30,5', '30,65,3'])).to.deep.equal([['Rules!A1:B1', text]]);
    });

  it('end before what the last one is called so for, whatever the rows', () =>
    expect(offered(['Start from,Start before,Fee', '18,30,5', '40,65,3'])).to.deep.equal([
      ['Rules!A1:B1', 'Start [Start from..Start before)'],
    ]));

  for (const [what, rows] of [
    ['other names', ['Age from,Income to,Fee', '18,30,5']],
    ['columns that stand apart', ['Age from,Country,Age to,Fee', '18,FI,30,5']],
    ['a row that begins after its end', ['Age from,Age to,Fee', '18,30,5', '65,30,3']],
    ['words', ['Age from,Age to,Fee', '18,old,5', '30,65,3']],
    ['a comparison of the other side', ['Age from,Age to,Fee', '18,30,5', '30,> 65,3']],
    ['a number that may be two', ['Age from,Age to,Fee', '1,"10,000",5', '"10,000",20,3']],
    ['no row with both', ['Age from,Age to,Fee', '18,,5', ',65,3']],
  ] as const)
    it(`are none with ${what}`, () => expect(offered(rows)).to.deep.equal([]));

  it('become one input with ranges, whose cells stand where those of the first one stood', () => {
    const rows = ['Age from,Age to,Country,Fee', '18,30,FI,5', ',18,FI,oops(,', '65,,FI,1', ',,FI,9'];
    const answer = convert(rows, ['Age [Age from..Age to)']);
    expect(tableOf(answer)).to.deep.equal([
      ['Age', 'Country'],
      ['[18..30)', '"FI"', '5'],
      ['< 18', '"FI"', 'oops('],
      ['>= 65', '"FI"', '1'],
      ['', '"FI"', '9'],
    ]);
    expect(answer.diagnostics.map(({ label }) => label)).to.deep.equal(['Rules!D3, rule 2, output Fee']);
  });

  it('of times of the day become one input with the name that somebody gives it', () => {
    const times = ['Opening time,Closing time,Fee', '"""06:00""","""18:00""",1', '"""18:00""","""22:00""",2'];
    expect(offered(times)).to.deep.equal([['Rules!A1:B1', 'time [Opening time..Closing time)']]);
    expect(tableOf(convert(times, ['at [Opening time..Closing time)']))).to.deep.equal([
      ['at'],
      ['time($) >= time("06:00") and time($) < time("18:00")', '1'],
      ['time($) >= time("18:00") and time($) < time("22:00")', '2'],
    ]);
  });

  it('of times may go on over midnight', () => {
    const times = ['Start time,End time,Fee', '"""06:00""","""22:00""",1', '"""22:00""","""06:00""",2'];
    expect(offered(times)).to.deep.equal([['Rules!A1:B1', 'time [Start time..End time)']]);
    expect(tableOf(convert(times, ['at [Start time..End time)']))).to.deep.equal([
      ['at'],
      ['time($) >= time("06:00") and time($) < time("22:00")', '1'],
      ['time($) >= time("22:00") or time($) < time("06:00")', '2'],
    ]);
  });

  it('are told where a cell of them is doubtful, which is asked about when they are one', () => {
    const rows = ['kWh from,kWh to,Fee', '0,999,1', '1000,"9 999",2', '"10,000",and above,3', '20000,29999,4'];
    const more = ['"30,000",40000,5', '"5,000",,6', '50000,60000,7'];
    const names = 'kWh [kWh from..kWh to]';
    expect(offered(rows)).to.deep.equal([['Rules!A1:B1', names]]);
    const answer = convert([...rows, ...more], [names]);
    expect(tableOf(answer)).to.deep.equal([
      ['kWh'],
      ['[0..999]', '1'],
      ['[1000..9999]', '2'],
      ['10,000 and above', '3'],
      ['[20000..29999]', '4'],
      ['[30,000..40000]', '5'],
      ['>= 5,000', '6'],
      ['[50000..60000]', '7'],
    ]);
    expect(answer.diagnostics.map(({ label, hint }) => [label?.slice(6, 8), hint])).to.deep.equal([
      ['A4', '10,000 and above may mean 2 things: write >= 10000, or write >= 10.'],
      ['A6', '[30,000..40000] may mean 2 things: write [30000..40000], or write [30..40000].'],
      ['A7', '>= 5,000 may mean 2 things: write >= 5000, or write >= 5.'],
    ]);
  });

  it('become one input with the name that somebody gives it, with ends within, of days and of what people write, too', () => {
    const days = ['Valid from,Valid to,Fee', '2026-01-01,2026-03-31,5', '2026-04-01,2026-12-31,3'];
    expect(tableOf(convert(days, ['day [Valid from..Valid to]']))).to.deep.equal([
      ['day'],
      ['>= d("2026-01-01") and <= d("2026-03-31")', '5'],
      ['>= d("2026-04-01") and <= d("2026-12-31")', '3'],
    ]);
    expect(
      tableOf(
        convert(
          ['Min sum,Max sum,Fee', '€ 5,7,1', '7,7,2', '8+,any,3', ',,', 'Source: tariff,,'],
          ['sum [Min sum..Max sum]'],
        ),
      ),
    ).to.deep.equal([['sum'], ['[5..7]', '1'], ['7', '2'], ['>= 8', '3'], ['Source: tariff', '']]);
  });

  it('that cannot be one are refused, with what is wrong', () => {
    const rows = ['Age from,Age to,Fee', '18,old,5', '30,65,3'];
    for (const [text, message] of [
      ['Age from', '"Age from" is no range: write NAME [FROM..TO), or ] where the end is within.'],
      ['[Age from..Age to)', '"[Age from..Age to)" has no name for the one column.'],
      ['Age [Age from..End)', 'Rules has no column "End".'],
      ['Age [Age from..Age to)', '"Age from" and "Age to" of Rules are not the ends of ranges in each row.'],
    ] as const)
      expect(convert(rows, [text]).refusal).to.deep.equal({ kind: 'broken', message });
  });

  it('are one column of a table that has it, and none are told that the table has as two', () => {
    const bring = (names: readonly string[], ranges: readonly string[]): ImportSheetAnswer => {
      const inputs = names.map((name) => ({ id: name, name, field: name }));
      const content = { inputs, outputs: [{ id: 'f', name: 'Fee', field: 'fee' }], rules: [] };
      const model = { nodes: [{ id: 't', type: 'decisionTableNode', name: 'Fees', content }], edges: [] };
      const part = { kind: 'table', nodeId: 't', decisionId: 'd' } as const;
      const [text, bytes] = [JSON.stringify(model), Buffer.from('From,To,Fee\n18,30,5\n')];
      return workOnSheet(
        { kind: 'importSheet', text, part, bytes, format: 'csv', ranges },
        limits,
      ) as ImportSheetAnswer;
    };
    const joined = bring(['Age'], ['Age [From..To)']).imported!;
    expect(joined.diagnostics).to.deep.equal([]);
    const { nodes } = JSON.parse(Buffer.from(joined.document.text).toString()) as { nodes: { content: Table }[] };
    expect(nodes[0]!.content.rules.map(({ _id, ...cells }) => cells)).to.deep.equal([{ Age: '[18..30)', f: '5' }]);
    expect(bring(['From', 'To'], []).imported!.diagnostics).to.deep.equal([]);
    expect(bring(['Age'], []).imported!.diagnostics.map(({ readings }) => readings)).to.deep.equal([
      ['[From..To)', '[From..To]'],
    ]);
  });
});
