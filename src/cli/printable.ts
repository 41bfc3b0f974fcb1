import { formatJson } from '../../workers/json/index.js';

/**
 * Characters that act on a terminal instead of being shown: control characters (C0, DEL, C1), line separators, and
 * those that turn the direction of writing. Names, keys and errors come from untrusted models.
 */
const acting = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;

/** One line of text in which each acting character, line ends among them, shows as `·`. */
export function printable(text: string): string {
  return text.replace(acting, '·');
}

/** The same for text of several lines: its line ends stay. */
export function printableLines(text: string): string {
  return text.replace(acting, (character) => (character === '\n' ? character : '·'));
}

/** A document as indented JSON, numbers with all their digits. Acting characters stand in it as escapes. */
export function printableJson(document: unknown): string {
  return formatJson(document, 2).replace(acting, (character) =>
    character === '\n' ? character : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
