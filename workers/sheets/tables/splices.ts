/** A part of a text, and what is to stand there. */
export interface Splice {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** The text with its parts replaced, which do not overlap. */
export function replaced(text: string, splices: readonly Splice[]): string {
  const made: string[] = [];
  let at = 0;
  for (const { from, to, text: own } of [...splices].sort((one, other) => one.from - other.from)) {
    made.push(text.slice(at, from), own);
    at = to;
  }
  return made.join('') + text.slice(at);
}

const startTag = /^<([^\s/>]+)((?:[^"'>/]|"[^"]*"|'[^']*'|\/(?!>))*)\/?>/;

/** The start tag of an element, with a place for what it holds, and its name as written. */
export function elementParts(source: string): { readonly open: string; readonly name: string } {
  const [, name = '', attributes = ''] = startTag.exec(source) ?? [];
  return { open: `<${name}${attributes.trimEnd()}>`, name };
}

/** A text as XML holds it; characters that XML has none of are left out. */
export const escapedText = (text: string): string =>
  text
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('\r', '&#13;');
