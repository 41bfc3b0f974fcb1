import { columnOf, readCell, zenOf } from '../../cells/index.js';

/**
 * What people may mean by a whole condition that ZEN does not read as one: `score = 600 OR score = 601`, `score under 600`.
 * Whether ZEN reads what is given here, the caller has to ask.
 */
export function readWholeCondition(source: string): readonly string[] {
  const signed = source.replace(foreign, (found) => signOf(found.toLowerCase()) ?? shareOf(found) ?? found);
  return [...new Set([...(signed === source ? [] : [signed]), ...comparisonsOf(source)])];
}

/** Quoted texts stay as they are. */
const foreign =
  /"[^"]*"|'[^']*'|`[^`]*`|=[<>]|(?<![<>=!])=(?!=)|<>|[≤≥≠]|&&?|\|\|?|(?<![\p{L}\p{N}_$.])(?:and|or|not|und|oder|ja|tai|och|eller|et|ou)(?![\p{L}\p{N}_$.])|(?<!\d)\d+(?:\.\d+)? ?%(?! *(?!(?:and|or|und|ja|oder|tai|och|eller|et|ou)\b)[\w("'])/giu;

type Signs = Readonly<Record<string, string>>;
const compared: Signs = { '=': '==', '<>': '!=', '≠': '!=', '≤': '<=', '≥': '>=', '=<': '<=', '=>': '>=' };
const joining: Signs = { '&': 'and', '&&': 'and', '|': 'or', '||': 'or', and: 'and', or: 'or', not: 'not' };
const elsewhere: Signs = { und: 'and', ja: 'and', och: 'and', oder: 'or', tai: 'or', eller: 'or', et: 'and', ou: 'or' };

const signOf = (text: string): string | undefined => compared[text] ?? joining[text] ?? elsewhere[text];

const shareOf = (text: string): string | undefined =>
  /^\d.*%$/.test(text) ? (zenOf(`=${text.replace(' ', '')}`) ?? text) : undefined;

const oneTest = /^(?:[<>]=?|!=) -?[\d.]+$|^[[(][^,]*[\])]$/;

/** `score under 600`: a field, and behind it what a cell of its column would say. */
function comparisonsOf(condition: string): readonly string[] {
  const [, field = '', test = ''] = /^([\p{L}_][\p{L}\p{N}_.]*) (.+)$/u.exec(condition.trim()) ?? [];
  const readings = readCell(test, columnOf({ _kind: 'number' }, true, [test]))?.readings ?? [];
  return readings
    .filter((reading) => oneTest.test(reading))
    .map((reading) => `${field} ${/^[[(]/.test(reading) ? 'in ' : ''}${reading}`);
}
