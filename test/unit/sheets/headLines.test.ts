import { expect } from 'chai';
import { defaultLimits } from '../../../workers/engine/limits.js';
import type { ConvertAnswer } from '../../../workers/sheets/tasks.js';
import { workOnSheet } from '../../../workers/sheets/work.js';

const convert = (rows: readonly string[], at: { header?: number; headerEnd?: number } = {}): ConvertAnswer => {
  const bytes = Buffer.from(rows.join('\n'));
  const task = { kind: 'convertSheet', bytes, format: 'csv', inputs: null, outputs: null, ...at } as const;
  return workOnSheet(task, { limits: defaultLimits, timeLimitMs: 10_000 }) as ConvertAnswer;
};
const told = (rows: readonly string[]): unknown =>
  convert(rows)
    .diagnostics.filter(({ label }) => /!\d+:\d+$/.test(label ?? ''))
    .map(({ label }) => label);
const names = ({ converted }: ConvertAnswer): unknown => {
  const { inputs, outputs } = JSON.parse(converted) as { inputs: string[]; outputs: string[] };
  return [...inputs, ...outputs];
};

const service = [
  'Grade,Years of service,,Night shift,Allowance',
  ',from,to,,EUR/month',
  ...['G1,0,2,x,105', 'G1,3,5,x,110', 'G2,0,2,x,115', 'G2,3,5,,120'],
];
const seasons = [
  'Room,Nights,Low season,,High season,',
  ',,Weekday,Weekend,Weekday,Weekend',
  ...['Single,1,20,21,22,23', 'Double,2,30,31,32,33'],
];

describe('headings in two lines', () => {
  it('are told, and nothing is made before somebody says it', () => {
    expect(convert(service).diagnostics).to.deep.equal([
      {
        code: 'model_invalid',
        message: 'Rules!1:2: rows 1 and 2 name the columns together, such as `Years of service from`. Begin there.',
        label: 'Rules!1:2',
        pointer: '',
      },
    ]);
    expect(told(['Fees 2026,,,,', ...service])).to.deep.equal(['Rules!2:3']);
    expect(told(seasons)).to.deep.equal(['Rules!1:2']);
  });

  it('are joined where somebody says it, and tell of ranges as others do', () => {
    const joined = convert(service, { header: 1, headerEnd: 2 });
    expect(names(joined)).to.deep.equal([
      ...['Grade', 'Years of service from', 'Years of service to', 'Night shift', 'Allowance EUR/month'],
    ]);
    expect(joined.diagnostics.flatMap(({ repair }) => repair ?? [])).to.include(
      'Years of service [Years of service from..Years of service to]',
    );
    expect(names(convert(seasons, { header: 1, headerEnd: 2 }))).to.deep.equal([
      ...['Room', 'Nights', 'Low season Weekday', 'Low season Weekend', 'High season Weekday', 'High season Weekend'],
    ]);
  });

  it('are not told again where one row is said to name the columns', () => {
    expect(convert(service, { header: 1 }).diagnostics[0]?.message).to.equal(
      'Rules!C2: this column has no name in row 1.',
    );
  });

  for (const [what, rows] of [
    ['a column without a name', ['Kind,Country,Fee,', 'Car,FI,low,see mail', 'Boat,SE,high,and this']],
    ['numbers below', ['Kind,Fee,,Note', ',1,2,', 'Car,3,4,x']],
    ['words that are there again below', ['Kind,Way,,Fee', ',air,sea,1', 'Car,air,sea,2', 'Boat,air,land,3']],
    ['one line', ['Kind,Way,Fee', 'Car,air,2', 'Boat,air,3']],
  ] as const)
    it(`are none with ${what}`, () => expect(told(rows)).to.deep.equal([]));
});
