import { parser } from '@gorules/lezer-zen';
import { isFormula } from '../../../workers/cells/index.js';
import { rowsOf, textOf, type Fields } from '../graph/fields.js';

interface ReadName {
  readonly name: string;
  readonly from: number;
}

/** The fields that an expression reads by their bare names, with where each stands; not functions, nor its own names of items. */
export function namesRead(text: string): readonly ReadName[] {
  const found: ReadName[] = [];
  const own = new Set<string>();
  parser.parse(withSigns(text)).iterate({
    enter({ name: kind, from, to, node }) {
      if (kind !== 'VariableName') return;
      const name = text.slice(from, to);
      const { parent, prevSibling, nextSibling } = node;
      // Beside another expression, with no sign between them, a word belongs to another language: `rate between 1 and 5`.
      if (parent?.name === 'Standard' && [prevSibling, nextSibling].some((beside) => beside && beside.name !== ';'))
        return;
      if (prevSibling?.name === 'as') own.add(name);
      else if (parent?.name !== 'CallExpression' || prevSibling !== null) found.push({ name, from });
    },
  });
  return found.filter(({ name }) => !own.has(name));
}

const texts = /"[^"]*"|'[^']*'|`[^`]*`/.source;
const wordSigns = new RegExp(String.raw`${texts}|(?<![\p{L}\p{N}_$.])(?:not\s+in|in|not)(?![\p{L}\p{N}_$])`, 'gu');
const intervals = new RegExp(String.raw`${texts}|[[(\]]([^[\]()"']*)\.\.([^[\]()"']*)[\])[]`, 'gu');

/** The text with signs in place of the words and intervals that the grammar reads as names, each as long as before. */
const withSigns = (text: string): string =>
  text
    .replace(intervals, (all, low?: string, high?: string) =>
      low === undefined || high === undefined ? all : `[${low}, ${high}]`,
    )
    .replace(wordSigns, (all) => {
      if (/^["'`]/.test(all)) return all;
      return (all === 'not' ? '!' : '==').padEnd(all.length);
    });

/**
 * An expression of a row that reads what rows above it make as ZEN has that, `$.premium`: a bare `premium` is a field of
 * what comes into the node. The same text where it reads nothing of the kind.
 *
 * @param given names that come into the node; one that a row reads before any row makes it does so, too
 */
export function withRowsAbove(
  content: Fields,
  row: number,
  text: string,
  given: ReadonlySet<string> = new Set(),
): string {
  // A formula of a spreadsheet is no expression yet.
  if (isFormula(text)) return text;
  const made = new Set<string>();
  const coming = new Set(given);
  for (const above of rowsOf(content, 'expressions').slice(0, row)) {
    const [key, value] = [textOf(above['key']), textOf(above['value'])];
    // Such a row does nothing yet.
    if (key === '' || value.trim() === '') continue;
    for (const { name } of namesRead(value)) if (!made.has(name)) coming.add(name);
    made.add(key.split('.')[0] ?? key);
  }
  const places = namesRead(text).filter(({ name }) => made.has(name) && !coming.has(name));
  return places.reduceRight((before, { from }) => `${before.slice(0, from)}$.${before.slice(from)}`, text);
}
