// Bands as mathematicians and tables of tariffs write them: `]5,10]`, `[5;10)`, `0<5`, `5–10 (excl.)`, `x>10`.

const brackets = /^([[(\]])([^[\]()]+)([\])[])$/;
/** Two constants and a sign: the first band of a tariff is from 0, and the next one begins where it ends. */
const between = /^([^<>=≤≥]+?) ?(<=?|=<|≤) ?([^<>=≤≥]+)$/;
const within = /^(.+?) ?[(,]? ?(?:(incl)|ex[ck]l)(?:\.|usive?|usief)?\)?$/iu;
/** `x` is no field, but what is asked. */
const unknown = /^[a-z] ?(?=[<>≤≥])/iu;

/**
 * The same in the notation of a range or of a comparison, each way that it may be meant; empty where it is written otherwise.
 * Whether there are numbers in it, the caller asks.
 */
export function inPlainNotation(cell: string): readonly string[] {
  const [, open = '', inner = '', close = ''] = brackets.exec(cell) ?? [];
  if (inner !== '') return bracketed(open, inner, close);
  const [, low, sign = '', high] = between.exec(cell) ?? [];
  if (high !== undefined && !unknown.test(cell)) return [`[${low}..${high}${sign === '<' ? ')' : ']'}`];
  const [, range, including] = within.exec(cell) ?? [];
  // Which end is without, or whether both are, nobody says.
  if (range !== undefined) return including === undefined ? [`[${range})`, `(${range})`] : [`[${range}]`];
  const asked = cell.replace(unknown, '');
  return asked === cell ? [] : [asked];
}

/** A bracket that is turned away is a round one. */
function bracketed(open: string, inner: string, close: string): readonly string[] {
  const [first, last] = [open === ']' ? '(' : open, close === '[' ? ')' : close];
  const isTurned = first !== open || last !== close;
  // A comma between round brackets, or between square ones, may be of a number or of a list.
  const parts = inner.includes(';') ? inner.split(';') : isTurned || first + last !== '[]' ? inner.split(',') : [];
  if (parts.length === 2 && (isTurned || inner.includes(';') || first + last !== '()'))
    return [`${first}${parts.map((part) => part.trim()).join('..')}${last}`];
  return isTurned ? [`${first}${inner}${last}`] : [];
}
