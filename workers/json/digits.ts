/** `-12.50e3` as `-125e2`: the same text for the same number. */
export function normalized(number: string): string {
  const [mantissa = '', exponent = '0'] = number.toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.replace('-', '').split('.');
  const digits = whole + fraction;
  let [start, end] = [0, digits.length];
  while (digits[start] === '0') start++;
  if (start === end) return '0';
  while (digits[end - 1] === '0') end--;
  const power = Number(exponent) - fraction.length + digits.length - end;
  return `${number.startsWith('-') ? '-' : ''}${digits.slice(start, end)}e${power}`;
}

/** Characters, the point counted too, from which on a number may have more digits than a double holds. */
const manyDigits = 16;
/** The text is a number and nothing else: none of the characters stands before it that are looked for below. */
const isNumber = /^[-\d]/;
/** Few offsets of a text pass what stands before the look back. */
const exponent = /\d[eE][-+\d]\d(?<=[:[,\s]-?[\d.]+[eE]..)/;

/**
 * Whether there may be a number in a JSON text that `JSON.parse` does not keep as it is written: of many digits, with zeros at the end of
 * its fraction, with an exponent of two digits. Words of a text may look like one too; reading them is only slower.
 */
export function mayLoseDigits(json: string): boolean {
  if (isNumber.test(json)) return true;
  // A number of so many characters covers at least one of the offsets that are looked at.
  for (let at = manyDigits - 1; at < json.length; at += manyDigits) {
    if (!isDigitOrPoint(json.charCodeAt(at))) continue;
    const end = endOfDigits(json, at);
    const start = startOfDigits(json, at);
    if (end - start >= manyDigits && mayBeginNumber(json, start)) return true;
    at = Math.max(at, end - manyDigits);
  }
  for (let end, point = json.indexOf('.'); point >= 0; point = json.indexOf('.', end)) {
    end = point + 1;
    while (isDigit(json.charCodeAt(end))) end++;
    if (end === point + 1 || json[end - 1] !== '0') continue;
    let start = point;
    while (isDigit(json.charCodeAt(start - 1))) start--;
    // Of `[1..20]`, as tables have them, the whole digits end at a point.
    if (start < point && mayBeginNumber(json, start)) return true;
  }
  return exponent.test(json);
}

const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39;

const isDigitOrPoint = (code: number): boolean => isDigit(code) || code === 0x2e;

function startOfDigits(json: string, at: number): number {
  let start = at;
  while (isDigitOrPoint(json.charCodeAt(start - 1))) start--;
  return start;
}

function endOfDigits(json: string, at: number): number {
  let end = at + 1;
  while (isDigitOrPoint(json.charCodeAt(end))) end++;
  return end;
}

const mayBeginNumber = (json: string, start: number): boolean =>
  /[:[,\s]/.test(json[json[start - 1] === '-' ? start - 2 : start - 1] ?? '');
