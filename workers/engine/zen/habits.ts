/** What somebody who comes from a spreadsheet meant by a cell that ZEN reads otherwise, or not at all. */
export interface Habit {
  /** What ZEN makes of it; undefined where it does not even parse. */
  readonly message?: string;
  /** How to write what was meant. */
  readonly hint: string;
}

const number = '\\d+(?:\\.\\d+)?';
const fromTo = new RegExp(`^(${number})\\s*[-–—]\\s*(${number})$`);
const date = /^\d{4}-\d{2}-\d{2}$/;
const commaNumber = /^([<>]=?\s*)?(-?\d+),(\d+)$/;
const share = /^([<>]=?\s*)?(-?\d+(?:[.,]\d+)?)\s*%$/;
/** Words, as they stand in lists of products, countries and the like. */
const word = "\\p{L}[\\p{L}\\p{N}_'’&/-]*(?: +[\\p{L}\\p{N}_'’&/-]+)*";
const words = new RegExp(`^${word}(?:\\s*,\\s*${word})*$`, 'u');

const longest = 200;

/**
 * @param kind `unary` for a cell that tests the field of its column, `standard` for one that gives a value
 * @param parses whether ZEN reads it
 */
export function habitOf(source: string, kind: 'standard' | 'unary', parses: boolean): Habit | undefined {
  if (source.length > longest) return undefined;
  const isTest = kind === 'unary';
  const effect = isTest ? 'this cell tests for what is left' : 'what is left is the value';
  if (date.test(source))
    return { message: `This is a subtraction: ${effect}.`, hint: `For a date as text write "${source}".` };
  const range = isTest ? fromTo.exec(source) : null;
  if (range !== null) {
    const hint = `For a range write [${range[1] ?? ''}..${range[2] ?? ''}].`;
    return parses ? { message: `This is a subtraction: ${effect}.`, hint } : { hint };
  }
  const decimal = commaNumber.exec(source);
  if (decimal !== null) {
    const hint = `For one number write ${decimal.slice(1, 3).join('')}.${decimal[3] ?? ''}.`;
    return parses ? { message: 'These are two numbers, either of which matches.', hint } : { hint };
  }
  const percent = share.exec(source);
  if (percent !== null) return { hint: `For a share write ${percent[1] ?? ''}${hundredth(percent[2] ?? '')}.` };
  return parses || !words.test(source) ? undefined : { hint: textHint(source) };
}

/** How words are written as texts: `"Car loan"`, `"DE", "FR"`. */
export const textHint = (source: string): string =>
  `For a text write ${source
    .split(',')
    .map((part) => JSON.stringify(part.trim()))
    .join(', ')}.`;

/** Whether a cell is made of words alone, so that texts may be meant. */
export const isWords = (source: string): boolean => source.length <= longest && words.test(source);

/** Two places to the left, with all digits. */
function hundredth(text: string): string {
  const sign = text.startsWith('-') ? '-' : '';
  const [whole = '', rest = ''] = text.replace('-', '').replace(',', '.').split('.');
  const digits = whole.padStart(3, '0');
  const after = `${digits.slice(-2)}${rest}`.replace(/0+$/, '');
  const before = digits.slice(0, -2).replace(/^0+(?=\d)/, '');
  return `${sign}${before}${after === '' ? '' : `.${after}`}`;
}
