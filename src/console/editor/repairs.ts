// What somebody who comes from a spreadsheet writes, and how ZEN has it. The service warns of such cells; here they are
// put right by one click.

const number = '\\d+(?:\\.\\d+)?';
const range = new RegExp(`^(${number})\\s*[-–—]\\s*(${number})$`);
const date = /^\d{4}-\d{2}-\d{2}$/;
const comma = /^([<>]=?\s*)?(-?\d+),(\d+)$/;
const share = /^([<>]=?\s*)?(-?)(\d+)(?:[.,](\d+))?\s*%$/;
const word = "\\p{L}[\\p{L}\\p{N}_'’&/-]*(?: +[\\p{L}\\p{N}_'’&/-]+)*";
const words = new RegExp(`^${word}(?:\\s*,\\s*${word})*$`, 'u');

/** What can stand in place of a cell that has a fault; empty where nobody can say. */
export function repairsOf(cell: string, isCondition: boolean): readonly string[] {
  const text = cell.trim();
  if (date.test(text)) return [`"${text}"`];
  const between = isCondition ? range.exec(text) : null;
  if (between !== null) return [`[${between[1] ?? ''}..${between[2] ?? ''}]`];
  const decimal = comma.exec(text);
  if (decimal !== null) {
    const [, before = '', whole = '', rest = ''] = decimal;
    // 1,500 is one and a half for some, and fifteen hundred for others.
    return [`${before}${whole}.${rest}`, ...(rest.length === 3 ? [`${before}${whole}${rest}`] : [])];
  }
  const percent = share.exec(text);
  if (percent !== null) {
    const [, before = '', sign = '', whole = '', rest = ''] = percent;
    return [`${before}${sign}${hundredth(whole, rest)}`];
  }
  if (!words.test(text)) return [];
  return [
    text
      .split(',')
      .map((part) => JSON.stringify(part.trim()))
      .join(', '),
  ];
}

/** Two places to the left, with all digits. */
function hundredth(whole: string, rest: string): string {
  const digits = whole.padStart(3, '0');
  const before = digits.slice(0, -2).replace(/^0+(?=\d)/, '');
  const after = `${digits.slice(-2)}${rest}`.replace(/0+$/, '');
  return after === '' ? before : `${before}.${after}`;
}
