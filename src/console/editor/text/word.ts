/** A word that may stand at the caret. */
export interface Word {
  readonly label: string;
  /** How it is written, where its name is no word of the language. */
  readonly written?: string;
  /** What it is, in a few words. */
  readonly detail: string;
  readonly kind: 'field' | 'function' | 'text' | 'keyword';
}

/** How much of a name with blanks in it stands at the end of what was typed, beyond its first word; 0 where none does. */
export function lengthBegun(label: string, typed: string): number {
  const [name, end] = [label.toLowerCase(), typed.toLowerCase()];
  for (let length = Math.min(name.length, end.length); length > name.indexOf(' ') && name.includes(' '); length--)
    if (end.endsWith(name.slice(0, length)) && !/[\p{L}\p{N}_]$/u.test(end.slice(0, -length))) return length;
  return 0;
}
