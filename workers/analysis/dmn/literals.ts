import { readDefinitions } from '../../engine/dmn/definitions.js';
import { childrenOf, textWithin, type Element } from '../../engine/dmn/xml.js';
import { dateFrom, dateTimeFrom, durationFrom } from '../../engine/feel/index.js';
import { minus, plus } from '../../engine/feel/values/arithmetic.js';
import { FeelDate, FeelDateTime } from '../../engine/feel/values/temporal.js';
import type { Value } from '../../engine/values.js';
import { parseNumber } from '../../engine/zen/values/numbers.js';

/** Literals of a document that are looked at. */
const mostLiterals = 60;
/** Moments and durations that are put together. */
const [mostMoments, mostDurations] = [8, 6];

/** What a document writes in its expressions. */
export interface Written {
  /** Numbers and texts that may make a difference to an input, whichever it is. */
  readonly literals: readonly Value[];
  /** Those of cells as well, which speak of their own column. */
  readonly all: readonly Value[];
}

/** Elements whose values a document gives, and takes from nobody. */
const given = new Set(['outputEntry', 'outputValues', 'defaultOutputEntry']);

/** @param columns the names of fields whose columns are read: their cells speak of them alone */
export function writtenIn(xml: string, columns: ReadonlySet<string>): Written {
  const literals = new Set<Value>();
  const all = new Set<Value>();
  const note = (element: Element, isOwn: boolean): void => {
    if (given.has(element.name)) return;
    if (element.name === 'text' && all.size < mostLiterals)
      for (const value of literalsOf(element.text)) {
        all.add(value);
        if (!isOwn) literals.add(value);
      }
    const reads = childrenOf(element, 'input').map((input) => (textWithin(input, 'inputExpression') ?? '').trim());
    for (const child of element.children) {
      const entries = child.name === 'rule' ? childrenOf(child, 'inputEntry') : [];
      entries.forEach((entry, at) => {
        note(entry, columns.has(reads[at] ?? ''));
      });
      if (child.name !== 'rule') note(child, isOwn);
    }
  };
  note(readDefinitions(xml).root, false);
  return { literals: [...literals], all: [...all] };
}

/** Numbers and texts that stand in an expression. */
export const literalsOf = (source: string): Value[] =>
  [...source.slice(0, 2000).matchAll(/"[^"\\]{0,100}"|(?<![\w.])\d{1,15}(?:\.\d{1,10})?/g)].map(([literal]) =>
    literal.startsWith('"') ? literal.slice(1, -1) : (parseNumber(literal) ?? 0),
  );

/** Moments that lie as far from those of a document as its durations are long: what it computes of two of them makes a difference. */
export function momentsApart({ all }: Written): Value[] {
  const texts = all.filter((value) => typeof value === 'string');
  const moments = ['2024-01-31', ...texts].flatMap((text) => dateFrom(text) ?? dateTimeFrom(text) ?? []);
  const durations = ['P1D', ...texts].flatMap((text) => durationFrom(text) ?? []).slice(0, mostDurations);
  const known = moments.slice(0, mostMoments);
  const found = known.flatMap((moment) =>
    durations.flatMap((duration) => [minus(moment, duration), plus(moment, duration)]),
  );
  return [...known, ...found].flatMap((each) =>
    each instanceof FeelDate || each instanceof FeelDateTime ? [each.toString()] : [],
  );
}
