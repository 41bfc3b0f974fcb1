import { expect } from 'chai';
import { compileDmn } from '../../../../workers/engine/index.js';
import { definitions } from '../../../support/dmn.js';

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
const grade =
  '<itemDefinition name="grade"><typeRef>string</typeRef><allowedValues><text>"A", "B"</text></allowedValues></itemDefinition>';

/** A table of one rule, whose only cell with something in it stands in a column of that type. */
const table = (typeRef: string, cell: string, place: 'input' | 'output' | 'allowed'): string => {
  const input = `<input><inputExpression typeRef="${typeRef}"><text>the value</text></inputExpression>${
    place === 'allowed' ? `<inputValues><text>${escaped(cell)}</text></inputValues>` : ''
  }</input>`;
  return definitions(`${grade}<inputData id="v" name="the value"><variable name="the value" typeRef="${typeRef}"/></inputData>
    <decision id="d" name="d"><variable name="d"/><informationRequirement><requiredInput href="#v"/></informationRequirement>
      <decisionTable>${place === 'output' ? '' : input}<output name="o"${place === 'output' && typeRef !== '' ? ` typeRef="${typeRef}"` : ''}/>
      <rule id="r">${place === 'output' ? '' : `<inputEntry><text>${place === 'input' ? escaped(cell) : ''}</text></inputEntry>`}
      <outputEntry><text>${place === 'output' ? escaped(cell) : '1'}</text></outputEntry></rule></decisionTable></decision>`);
};
const told = (typeRef: string, cell: string, place: 'input' | 'output' | 'allowed' = 'output') =>
  compileDmn(table(typeRef, cell, place)).diagnostics;
const outputs = (typeRef: string, cell: string): unknown =>
  told(typeRef, cell).map(({ severity, code, message, source }) => [severity, code, message, source]);

/** Type, cell, and what to write. */
const outputCells: readonly (readonly [type: string, cell: string, hint: string])[] = [
  ['number', '"5"', 'For what is meant write 5.'],
  ['number', 'string("a")', 'Write it as 5.'],
  ['number', '10,000', '10,000 may mean 2 things: write 10000, or write 10.'],
  ['number', 'count', 'Write it as 5.'],
  ['string', 'mode', 'For a text write "mode".'],
  ['Any', 'mode', 'For a text write "mode".'],
  ['', 'mode', 'For a text write "mode".'],
  ['', 'gold', 'For a text write "gold".'],
  ['', '2026-01-01', 'For a date write "2026-01-01".'],
  ['', '=5', 'Write 5.'],
  ['number', '=5', 'Write 5.'],
  ['Any', '=5', 'Write 5.'],
  ['number', '> 5', 'Write it as 5.'],
  ['number', '2026-01-01', 'Write it as 5.'],
  ['Any', '2026-01-01', 'For a date write "2026-01-01".'],
  ['string', 'gold', 'For a text write "gold".'],
  ['date', '"2026-01-01"', 'Write date("2026-01-01").'],
  ['date', '01.01.2026', 'For a date write date("2026-01-01").'],
  [
    'date',
    'date("2026-13-01")',
    'It is called as `date(from)` or `date(year, month, day)`, for instance `date("2012-12-25")`.',
  ],
  ['dayTimeDuration', 'duration("P1Y")', 'Write it as duration("P30D").'],
  ['grade', '"C"', 'Write one of "A", "B".'],
  ['boolean', 'TRUE', 'Write true.'],
  ['', 'the value*1,19', 'Write the value*1.19.'],
  ['number', '1,5*the value', 'Write 1.5*the value.'],
  ['number', 'if 1 = 1 then 1,5 else 2', 'Write if 1 = 1 then 1.5 else 2.'],
  ['', 'IF(1>2;2;3)', 'Write if 1>2 then 2 else 3.'],
  ['', 'WENN(1>2;"a;b";WENN(2>1;"c";1,5))', 'Write if 1>2 then "a;b" else if 2>1 then "c" else 1.5.'],
  ['', 'IF(1>2, 2, 3)', 'A condition is written as `if … then … else …`.'],
  ['number', 'round up(2,5; 0)', 'Write round up(2.5, 0).'],
  ['', 'gold; silver', 'For a text write "gold; silver".'],
];

describe('an output cell that is a value of another type than its column', () => {
  it('is told by a check, since it is null whenever its rule matches', () => {
    expect(outputs('string', '22')).to.deep.equal([
      ['warning', 'type_error', 'Output 1 is a number, which is not of its type: string.', '22'],
    ]);
    expect(outputs('number', '"22"')).to.deep.equal([
      ['warning', 'type_error', 'Output 1 is a string, which is not of its type: number.', '"22"'],
    ]);
    expect(outputs('grade', 'true')).to.have.lengthOf(1);
  });

  it('is told with what to write, whatever makes it another one', () => {
    for (const [type, cell, hint] of outputCells)
      expect(
        told(type, cell).map((each) => each.hint),
        `${type} ${cell}`,
      ).to.deep.equal([hint]);
  });

  it('is nothing where it is of the type, a list of one, or an expression', () => {
    const fine: readonly (readonly [type: string, cell: string])[] = [
      ...[['string', '"a"'] as const, ['number', '-1.5'] as const, ['boolean', 'true'] as const],
      ...[
        ['grade', '"A"'] as const,
        ['Any', '1'] as const,
        ['Any', '[1..2]'] as const,
        ['', '[1..2]'] as const,
        ['', '1 + 2'] as const,
        ['number', '7-2'] as const,
        ['string', 'null'] as const,
        ['string', ''] as const,
      ],
      ...[['date and time', 'date("2026-12-01")'] as const, ['number', '1 + 2'] as const, ['grade', '["A"]'] as const],
      ...[
        ['date', 'today()'] as const,
        ['string', '"a" + "b"'] as const,
        ['number', 'if 1 = 1 then 2 else 3'] as const,
      ],
    ];
    for (const [type, cell] of fine) expect(outputs(type, cell), `${type} ${cell}`).to.deep.equal([]);
  });
});

describe('an input that is none of the values that its column has', () => {
  it('is named by its expression in the warning of the run, with its source', () => {
    const { program } = compileDmn(table('string', '"a", "b"', 'allowed'));
    const { warnings } = program.run(
      { 'the value': 'c' },
      { trace: false, now: 0, deadline: Infinity, random: () => 0.5 },
    );
    expect(warnings).to.deep.equal([
      {
        ...{ nodeId: 'd', node: 'd', source: 'the value', span: [0, 9] },
        message: 'The value of "the value" is none of those that the table takes.',
      },
    ]);
  });
});

describe('an input cell that is none of the values that its column has', () => {
  const among = (values: string, cell: string): unknown[] => {
    const xml = table('string', values, 'allowed').replace('<inputEntry><text>', `<inputEntry><text>${escaped(cell)}`);
    return compileDmn(xml).diagnostics.map(({ message, hint }) => [message, hint]);
  };

  it('is told by a check, with those that it may be', () => {
    const told = ['This is none of the values of string of "Winter", "Summer".', 'Write one of "Winter", "Summer".'];
    for (const cell of ['"Autumn"', 'not("Autumn")', '"Winter","Autumn"'])
      expect(among('"Winter", "Summer"', cell), cell).to.deep.equal([told]);
    expect(among('"Winter", "Summer"', '"winter"')).to.deep.equal([[told[0], 'For what is meant write "Winter".']]);
  });

  it('is nothing where it is one of them, or they are not known without a fact', () => {
    for (const cell of ['"Winter"', 'not("Summer")', '"Winter","Summer"', '-', ''])
      expect(among('"Winter", "Summer"', cell), cell).to.deep.equal([]);
    expect(among('"Winter", the value', '"Autumn"')).to.deep.equal([]);
  });
});

describe('an input cell that never matches what its column has', () => {
  /** Type, cell, the part that is told, and what to write. */
  const cells: readonly (readonly [type: string, cell: string, part: string, hint: string])[] = [
    ['number', '"5"', '"5"', 'For what is meant write 5.'],
    ['number', '> "5"', '"5"', 'For what is meant write 5.'],
    ['number', '=> 5', '=> 5', 'Write >= 5.'],
    ['number', '== 5', '== 5', 'Write 5.'],
    ['number', '[10..5]', '[10..5]', 'Write [5..10].'],
    ['number', '18-24', '18-24', 'For a range write [18..24].'],
    ['number', '> 18-24', '18-24', 'For a range write [18..24].'],
    ['number', '10,000', '10,000', '10,000 may mean 2 things: write 10000, or write 10.'],
    ['number', '1.000,50', '1.000,50', 'For one number write 1000.5.'],
    ['number', '12,5', '12,5', '12,5 may mean 2 things: write 12.5, or write 12, 5.'],
    ['Any', '-3,25', '-3,25', '-3,25 may mean 2 things: write -3.25, or write -3, 25.'],
    ['number', '< 12,5', '< 12,5', 'For what is meant write < 12.5.'],
    ['number', 'not(> 1.234,50)', '> 1.234,50', 'Write it as 5, > 5 or [5..10].'],
    ['number', '> 1.234,50', '> 1.234,50', 'For what is meant write > 1234.5.'],
    ['number', '12,500', '12,500', '12,500 may mean 2 things: write 12500, or write 12.5.'],
    ['number', '01/31/2026', '01/31/2026', 'Write it as 5, > 5 or [5..10].'],
    ['number', '2026/1/31', '2026/1/31', 'Write it as 5, > 5 or [5..10].'],
    ['number', '2026-01-01', '2026-01-01', 'Write it as 5, > 5 or [5..10].'],
    ['number', 'any', 'any', 'Leave the cell empty.'],
    ['string', 'all', 'all', 'all may mean 2 things: write "all", or leave it empty.'],
    ['string', 'mode', 'mode', 'For a text write "mode".'],
    ['Any', 'all', 'all', 'all may mean 2 things: write "all", or leave it empty.'],
    ['Any', '2026-01-01', '2026-01-01', 'For a date write "2026-01-01".'],
    ['string', '[1..5]', '[1..5]', 'Write it as "gold" or "gold", "silver".'],
    [
      ...(['date', '[2026-01-01..2026-02-01]', '[2026-01-01..2026-02-01]'] as const),
      'For a range write [date("2026-01-01")..date("2026-02-01")].',
    ],
    ['number', '["1".."5"]', '["1".."5"]', 'Write it as 5, > 5 or [5..10].'],
    ['number', '> 5 and < 10', '5 and < 10', 'Write (5..10).'],
    ['number', 'date("2026-01-01")', 'date("2026-01-01")', 'Write it as 5, > 5 or [5..10].'],
    ['number', 'not("x")', '"x"', 'Write it as 5, > 5 or [5..10].'],
    ['string', '> 5', '5', 'For what is meant write "5".'],
    ['string', '"a" or "b"', '"a" or "b"', 'Write "a", "b".'],
    ['boolean', '"true"', '"true"', 'For what is meant write true.'],
    ['date', '"2026-01-01"', '"2026-01-01"', 'Write date("2026-01-01").'],
    ['date', '> 2026-01-01', '2026-01-01', 'For what is meant write > date("2026-01-01").'],
    [
      ...(['date', '[date("2026-02-01")..date("2026-01-01")]', '[date("2026-02-01")..date("2026-01-01")]'] as const),
      'Write [date("2026-01-01")..date("2026-02-01")].',
    ],
    ['date', '>= @"2026-01-01T00:00:00"', '@"2026-01-01T00:00:00"', 'Write it as >= date("2026-01-31").'],
    ['dayTimeDuration', '> duration("P1Y")', 'duration("P1Y")', 'Write it as >= duration("P30D").'],
    ['grade', '"C"', '"C"', 'Write one of "A", "B".'],
    ['grade', '"a"', '"a"', 'For what is meant write "A".'],
    ['number', 'cellInput > 5', 'cellInput', 'The value of the input is called `?` here.'],
  ];

  it('is told with its place and what to write', () => {
    for (const [type, cell, part, hint] of cells) {
      const found = told(type, cell, 'input').map(({ source = '', span: [from, to] = [0, 0], ...each }) => [
        ...[each.pointer, source.slice(from, to), each.hint],
      ]);
      const pointer = '/definitions/decision/decisionTable/rule/inputEntry';
      expect(found, `${type} ${cell}`).to.deep.equal([[pointer, part, hint]]);
    }
  });

  it('has one repair where that has one reading, and none of it has a fault any more', () => {
    const inputs = cells.map(([type, cell, , hint]) => ({ place: 'input' as const, type, cell, hint }));
    const outputs = outputCells.map(([type, cell, hint]) => ({ place: 'output' as const, type, cell, hint }));
    for (const { place, type, cell, hint } of [...inputs, ...outputs]) {
      const [repair, ...others] = told(type, cell, place).map((each) => each.repair);
      const [, meant] = /^(?:Write|For .* write) (.*)\.$/.exec(hint) ?? [];
      const isExample = meant === undefined || /^(?:it as|one of) /.test(meant);
      const wanted = hint === 'Leave the cell empty.' ? '' : isExample ? undefined : meant;
      expect([repair, ...others], `${type} ${cell}`).to.deep.equal([wanted]);
      if (repair !== undefined) expect(told(type, repair, place), `${type} ${cell} → ${repair}`).to.deep.equal([]);
    }
  });

  it('is told where a function of the language has no value by what is written', () => {
    const calls: readonly (readonly [type: string, cell: string, message: string])[] = [
      ['string', 'contains(?, "a", "b")', '`contains` takes at most 2 arguments, not 3'],
      ['string', 'contains(?)', '`contains` needs `match`'],
      ['string', 'contains(string: ?, find: "a")', '`contains` has no parameter `string`, `find`'],
      ['string', 'matches(?, "(?=a)")', '`matches` takes no group with a question mark but `(?:…)`'],
      ['date', 'date("2026-13-01")', '`date` takes a text like "2012-12-25"'],
      ['date', '< date("31.01.2026")', '`date` takes a text like "2012-12-25"'],
      ['dayTimeDuration', '> duration("P1X")', '`duration` takes a text like "P1DT2H" or "P1Y2M"'],
    ];
    for (const [type, cell, message] of calls)
      expect(
        told(type, cell, 'input').map((each) => each.message),
        cell,
      ).to.deep.equal([message]);
  });

  it('is nothing where it may match', () => {
    const fine: Readonly<Record<string, readonly string[]>> = {
      number: [
        '',
        '-',
        '5',
        '-5',
        '10, 20',
        '1,2,3',
        'not(1,2)',
        '[1..2],[3..4]',
        '[-5..5]',
        ']1..2[',
        'not(5, 6)',
        'null',
        '? > 5',
        '5 < ?',
        '> 2 * 3',
        '(1 + 2)',
      ],
      string: [
        '"a"',
        'not("a", "b")',
        '["a".."c"]',
        'null, "a"',
        '["a", "b"]',
        'contains(?, "a")',
        'string length(?) > 3',
        'upper case("a")',
      ],
      boolean: ['true', 'not(false)', '? = true'],
      date: [
        '@"2026-01-01"',
        '< date("2026-01-01")',
        '[date("2026-01-01")..date("2026-02-01")]',
        '< today()',
        'date(2026, 1, 1)',
        '> date(?)',
      ],
      'date and time': [
        '> date and time("2026-01-01T00:00:00")',
        '> now()',
        '> date and time(date("2026-01-01"), time("10:00:00"))',
      ],
      dayTimeDuration: ['> duration("P1D")', '> now() - now()'],
      grade: ['"A"', '"A","B"', 'not("A")'],
      Any: ['5', '"a"', '> date("2026-01-01")'],
      tContext: [],
    };
    for (const [type, texts] of Object.entries(fine))
      for (const cell of texts) expect(told(type, cell, 'input'), `${type} ${cell}`).to.deep.equal([]);
  });

  it('so are the values that a column or a type allows', () => {
    const place = '/definitions/decision/decisionTable/input/inputValues';
    expect(told('number', '"low", "high"', 'allowed').map(({ pointer }) => pointer)).to.deep.equal([place, place]);
    expect(told('number', '1,2', 'allowed')).to.deep.equal([]);
    expect(told('number', '[10..5]', 'allowed').map(({ hint }) => hint)).to.deep.equal(['Write [5..10].']);
    expect(told('grade', '"A", "C"', 'allowed').map(({ span }) => span)).to.deep.equal([[5, 8]]);
    expect(told('number', '[5..10], 20', 'allowed')).to.deep.equal([]);
    const type =
      '<itemDefinition id="i" name="n"><typeRef>number</typeRef><allowedValues><text>"a"</text></allowedValues></itemDefinition>';
    expect(compileDmn(definitions(type)).diagnostics.map(({ nodeId }) => nodeId)).to.deep.equal(['i']);
  });
});
