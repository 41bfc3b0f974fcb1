import { childOf, type Element } from '../../../workers/engine/dmn/document.js';

/** A stretch of the document, and what stands there instead. */
export interface Splice {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/**
 * A part of the document that begins at `start`, from the end on, so that places before stay where they are. What is put at one
 * place stands there in the order of the list, before what was there.
 */
export const spliced = (part: string, splices: readonly Splice[], start = 0): string =>
  splices
    .toReversed()
    .sort((one, other) => other.from - one.from || other.to - one.to)
    .reduce((text, { from, to, text: next }) => text.slice(0, from - start) + next + text.slice(to - start), part);

/** The text of a cell: what stands between its tags, whatever it was written as. */
export function textSplice(xml: string, cell: Element, next: string): Splice {
  const holder = cell.name === 'description' ? cell : childOf(cell, 'text');
  const prefix = prefixAt(xml, cell.offset);
  if (holder === undefined) {
    const at = afterTag(xml, cell.offset);
    if (xml[at - 2] !== '/') return { from: at, to: at, text: element(prefix, 'text', escaped(next)) };
    return openedAt(xml, cell, element(prefix, 'text', escaped(next)));
  }
  const from = afterTag(xml, holder.offset);
  if (xml[from - 2] === '/') return openedAt(xml, holder, escaped(next));
  return { from, to: closingOf(xml, holder), text: escaped(next) };
}

/** An element that was written as an empty one, with something in it. */
function openedAt(xml: string, { offset, name }: Element, inner: string): Splice {
  const end = afterTag(xml, offset);
  return { from: end - 2, to: end, text: `>${inner}</${prefixAt(xml, offset)}${name}>` };
}

export const element = (prefix: string, name: string, inner: string): string =>
  `<${prefix}${name}>${inner}</${prefix}${name}>`;

export const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** The prefix that an element is written with, such as `dmn:`. */
export const prefixAt = (xml: string, offset: number): string =>
  /^<([^\s/>:]+:)?/.exec(xml.slice(offset, offset + 200))?.[1] ?? '';

/** Behind the tag that begins here; a `>` within quotes is none of it. */
export function afterTag(xml: string, offset: number): number {
  const tag = /(?:[^>"']|"[^"]*"|'[^']*')*>/y;
  tag.lastIndex = offset;
  tag.exec(xml);
  return tag.lastIndex;
}

/** Where the closing tag of an element begins: behind all that is in it. */
export const closingOf = (xml: string, { end }: Element): number => xml.lastIndexOf('<', end - 1);

/** The blanks before a place go along with what stands there. */
export function blanksBefore(xml: string, offset: number): number {
  let at = offset;
  while (at > 0 && /\s/.test(xml[at - 1] ?? '')) at--;
  return at;
}
