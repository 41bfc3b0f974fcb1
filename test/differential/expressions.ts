import fc from 'fast-check';

/** Sources of expressions by the kind of value that they should give; one in a few is of another kind. */
interface Grammar {
  readonly number: string;
  readonly text: string;
  readonly truth: string;
  readonly numbers: string;
  readonly texts: string;
  readonly object: string;
  readonly date: string;
  readonly any: string;
}
type Kind = keyof Grammar;
type Tie = (kind: Kind) => fc.Arbitrary<string>;

/** A pattern such as `{number} + {number}`: each name in braces stands for a source of that kind. */
function pattern(text: string, tie: Tie): fc.Arbitrary<string> {
  const pieces = text.split(/\{(\w+)\}/);
  // Inside a template the package reads neither templates nor braces.
  const fits = text.includes('`') ? (source: string): string => (/[`{}]/.test(source) ? 's' : source) : undefined;
  const holes = pieces
    .filter((_, index) => index % 2 === 1)
    .map((kind) => (fits === undefined ? tie(kind as Kind) : tie(kind as Kind).map(fits)));
  return fc
    .tuple(...holes)
    .map((sources) =>
      pieces.map((piece, index) => (index % 2 === 1 ? (sources[(index - 1) / 2] ?? '') : piece)).join(''),
    );
}

const leaves: Readonly<Record<Kind, readonly string[]>> = {
  number: [
    '0',
    '1',
    '2',
    '3',
    '-1',
    '10',
    '0.1',
    '0.5',
    '2.5',
    '1.005',
    '100',
    '1_000',
    '3.14159',
    'a',
    'b',
    'zero',
    'obj.x',
    'obj.deep.z',
    'numbers[0]',
    'obj["x"]',
    'items[0].p',
  ],
  text: [
    "''",
    "'a'",
    '"b"',
    "'abc'",
    "'Hello World'",
    "'10'",
    "'a,b'",
    's',
    't',
    'obj.y',
    'texts[0]',
    'items[0].q',
    '`abc`',
  ],
  truth: ['true', 'false', 'flag', 'none == null', 'items[0].r'],
  numbers: [
    '[]',
    '[1, 2, 3]',
    '[3, 1, 2, 1]',
    '[0.1, 0.2]',
    'numbers',
    'obj.deep.list',
    'lists[0]',
    '[a, b]',
    '[1..4]',
    '(1..4)',
  ],
  texts: ['[]', "['a', 'b']", 'texts', '[s, t]', "split('a,b,c', ',')"],
  object: ['{}', '{ a: 1 }', "{ 'k': a, y: 'z' }", 'obj', 'obj.deep', 'items[0]', '{ [s]: a }', '$root'],
  date: [
    "d('2024-02-29')",
    "d('2023-12-31 23:59:59')",
    "d('2024-03-31T01:30:00', 'Europe/Berlin')",
    "d('2024-01-31T12:00:00Z')",
    "d('2020-06-15', 'America/New_York')",
    'd(1700000000)',
    'd(s)',
  ],
  any: ['null', 'none', 'missing', 'missing.path', 'a', 's', 'flag', 'numbers', 'items', 'obj', 'items[7]', 'lists'],
};

const patterns: Readonly<Record<Kind, readonly string[]>> = {
  number: [
    '{number} + {number}',
    '{number} - {number}',
    '{number} * {number}',
    '{number} / {number}',
    '{number} % {number}',
    '{number} ^ 2',
    '(2 ^ floor({number}))',
    '-{number}',
    '({number})',
    '{truth} ? {number} : {number}',
    '{any} ?? {number}',
    'abs({number})',
    'floor({number})',
    'ceil({number})',
    'round({number})',
    'round({number}, 2)',
    'trunc({number}, 1)',
    'trunc({number})',
    'len({text})',
    'len({numbers})',
    'sum({numbers})',
    'avg({numbers})',
    'min({numbers})',
    'max({numbers})',
    'median({numbers})',
    'mode({numbers})',
    'number({text})',
    'number({any})',
    'count({numbers}, # > {number})',
    '{numbers}[{number}]',
    '{numbers}[0]',
    'sum(map({numbers}, # * {number}))',
    'fuzzyMatch({text}, {text})',
    '{date}.year()',
    '{date}.month()',
    '{date}.day()',
    '{date}.hour()',
    '{date}.minute()',
    '{date}.weekday()',
    '{date}.quarter()',
    '{date}.timestamp()',
    '{date}.dayOfYear()',
    "{date}.diff({date}, 'day')",
    '{date}.diff({date})',
    "date('2024-02-29T12:00:00Z')",
    "duration('1d')",
    "year(date('2024-02-29'))",
    "dayOfMonth('2024-02-29')",
    "time('12:30')",
    'sum(keys({numbers}))',
    'len(values({object}))',
    'max(map({numbers} as n, n ^ 2))',
  ],
  text: [
    '{text} + {text}',
    '({text})',
    '{truth} ? {text} : {text}',
    '{any} ?? {text}',
    'upper({text})',
    'lower({text})',
    'trim({text})',
    'string({any})',
    'string({number})',
    'type({any})',
    '`v ${{number}} ${{text}}`',
    '`${{any}}`',
    '{text}[0:1]',
    '{text}[1:]',
    '{text}[:1]',
    '{texts}[0]',
    "{date}.format('%Y-%m-%d')",
    "{date}.format('%d.%m.%y %H:%M:%S')",
    'string({date})',
    "dateString(date('2024-02-29'))",
    "monthString('2024-02-29')",
    "weekdayString('2024-02-29')",
    '`${{numbers}}`',
    'extract({text}, "([a-z]+)(,)?")[1]',
    'type({date})',
  ],
  truth: [
    '{number} > {number}',
    '{number} >= {number}',
    '{number} < {number}',
    '{number} <= {number}',
    '{number} == {number}',
    '{number} != {number}',
    '{text} == {text}',
    '{text} != {text}',
    '{any} == {any}',
    '{any} != {any}',
    '{truth} and {truth}',
    '{truth} or {truth}',
    'not {truth}',
    'not({truth})',
    '!{truth}',
    '({truth})',
    '{truth} ? {truth} : {truth}',
    '{number} in [{number}..{number}]',
    '{number} in ({number}..{number})',
    '{number} not in [{number}..{number}]',
    '{number} in {numbers}',
    '{text} in {texts}',
    '{text} not in {texts}',
    '{text} in {object}',
    'contains({text}, {text})',
    'contains({texts}, {text})',
    'contains({numbers}, {number})',
    'startsWith({text}, {text})',
    'endsWith({text}, {text})',
    "matches({text}, '^[a-z]+$')",
    'isNumeric({any})',
    'bool({any})',
    'some({numbers}, # > {number})',
    'all({numbers}, # > 0)',
    'none({numbers}, # == {number})',
    'one({numbers}, # == 1)',
    'some(items, .p > {number})',
    'some(items, #.p > 1 and #.q == {text})',
    '{date}.isBefore({date})',
    '{date}.isAfter({date})',
    '{date}.isSame({date})',
    "{date}.isSame({date}, 'month')",
    "{date}.isSameOrBefore({date}, 'year')",
    '{date}.isValid()',
    '{date}.isLeapYear()',
    '{date} > {date}',
    '{date} == {date}',
    '{number} > 1 and {number} < 5',
    'all({texts} as w, len(w) > 0)',
  ],
  numbers: [
    'map({numbers}, # + 1)',
    'map({numbers}, # * {number})',
    'filter({numbers}, # > {number})',
    'flatMap(lists, #)',
    'flatten(lists)',
    '{numbers}[0:1]',
    '{numbers}[1:]',
    'map(items, #.p)',
    'map(items as i, i.p + 1)',
    'filter({numbers}, true)',
    '[{number}, {number}]',
    'map(filter(items, #.p > 0), #.p)',
    'merge([[], {numbers}, {numbers}])',
    'map({texts}, len(#))',
    'flatMap({numbers}, [#, # + 1])',
    'keys({numbers})',
    'map({numbers} as x, map({numbers} as y, x * y))',
    'flatten([{numbers}, [{number}]])',
  ],
  texts: [
    '[{text}, {text}]',
    'map({texts}, upper(#))',
    'filter({texts}, # != {text})',
    'split({text}, {text})',
    'filter(keys({object}), # == {text})',
    'map(items, #.q)',
    'map({numbers}, string(#))',
    'flatMap({texts}, split(#, ","))',
    "extract({text}, '(\\\\d+)-(\\\\d+)')",
    'map({texts}, `<${#}>`)',
  ],
  object: [
    '{ a: {number}, b: {text} }',
    '{ x: {any} }',
    'merge([{ z: 0 }, {object}, {object}])',
    'mergeDeep([{ z: 0 }, {object}, {object}])',
    '{truth} ? {object} : {object}',
    'items[{number}]',
    '{ [{text}]: {number} }',
    '{any} ?? {object}',
  ],
  date: [
    "{date}.add('1d')",
    "{date}.sub('2h 30m')",
    "{date}.add(1, 'month')",
    "{date}.sub(1, 'year')",
    "{date}.add({number}, 'd')",
    "{date}.startOf('month')",
    "{date}.endOf('quarter')",
    "{date}.startOf('day')",
    "{date}.set('day', 15)",
    "{date}.set('hour', 3)",
    "{date}.tz('Asia/Tokyo')",
    "{date}.tz('America/New_York')",
  ],
  any: [
    '{number}',
    '{text}',
    '{truth}',
    '{numbers}',
    '{texts}',
    '{object}',
    '{date}',
    '{any} ?? {any}',
    '{truth} ? {any} : {any}',
    '{object}.a',
    '{object}[{text}]',
    '{object}.missing.path',
    '[{any}, {any}]',
    '{numbers}[9]',
    'len(values({object}))',
    '{any}.x',
    '$root.a',
    '$root["s"]',
    '#',
    'len(map({object}, #))',
    'filter(items, {truth})',
    'map(items, {any})',
  ],
};

/** One in so many holes takes a source of any kind. */
const stranger = 14;

const grammar = fc.letrec<Grammar>((tie) => {
  const hole: Tie = (kind) => {
    const own: fc.Arbitrary<string> = tie(kind);
    const other: fc.Arbitrary<string> = tie('any');
    return fc.oneof({ weight: stranger, arbitrary: own }, { weight: 1, arbitrary: other });
  };
  const rule = (kind: Kind): fc.Arbitrary<string> =>
    fc.oneof(
      { maxDepth: 3, depthSize: 'small', withCrossShrink: true },
      { weight: 2, arbitrary: fc.constantFrom(...leaves[kind]) },
      { weight: 3, arbitrary: fc.oneof(...patterns[kind].map((text) => pattern(text, hole))) },
    );
  return {
    number: rule('number'),
    text: rule('text'),
    truth: rule('truth'),
    numbers: rule('numbers'),
    texts: rule('texts'),
    object: rule('object'),
    date: rule('date'),
    any: rule('any'),
  };
});

const byName: Tie = (kind) => grammar[kind];

/** Assignments stand at the top: inside other expressions the package knows one at a time. */
const assignments = [
  'x = {number}; y = x + 1; x * y',
  'x = {any}; [x, x]',
  'a.b = {number}; c = {text}',
  'obj.x = {any}; obj',
  'n.m.k = {any}; n.l = {text}',
  'a = {number}; $root.a + a',
];

/** An expression that mostly makes sense. */
export const someExpression: fc.Arbitrary<string> = fc.oneof(
  { weight: 12, arbitrary: grammar.any },
  { weight: 1, arbitrary: fc.oneof(...assignments.map((text) => pattern(text, byName))) },
);
export const someCondition: fc.Arbitrary<string> = grammar.truth;
export const someNumberSource: fc.Arbitrary<string> = grammar.number;
export const someTextSource: fc.Arbitrary<string> = grammar.text;

const cellPatterns = [
  '> {number}',
  '>= {number}',
  '< {number}',
  '<= {number}',
  '== {number}',
  '!= {number}',
  '{number}',
  '{text}',
  '[{number}..{number}]',
  '({number}..{number})',
  '[{number}..{number})',
  '{number}, {number}',
  '{text}, {text}',
  'not {text}',
  'not({text}, {text})',
  'in {numbers}',
  'not in {numbers}',
  'in {texts}',
  'true',
  'false',
  'null',
  '!= null',
  '> {number} and < {number}',
  '< {number} or > {number}',
  '$ > {number}',
  'startsWith($, {text})',
  'contains($, {text})',
  'len($) > {number}',
  '{truth}',
  '$ == {any}',
  '{text}, > {number}',
  'endsWith({text})',
  'matches($, "^a")',
  '{date}',
  '> {date}',
  'not in [{number}..{number}]',
  'some($, # > {number})',
  '{any}',
  '_',
  '-{number}',
  '-',
] as const;

/** A cell of a table that tests its field. */
export const someCell: fc.Arbitrary<string> = fc.oneof(...cellPatterns.map((text) => pattern(text, byName)));
