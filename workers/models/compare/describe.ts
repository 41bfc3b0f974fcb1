import { createHash } from 'node:crypto';
import { formatJson } from '../../json/index.js';
import type { ChangedField } from './changes.js';

/** Characters of a value that are shown, in the transitions and in a case's own changes. */
export const shownInTransition = 200;
const shownInChange = 10_000;
/** Characters of all changes of a case, and pointers that it can be found by. */
const maxChangesLength = 65_536;
const maxPointers = 100;

/** A change as JSON. A longer value is shown by a text: how it begins, and a digest that tells it from others. */
export function changeText({ pointer, ...values }: ChangedField, shown: number): string {
  let text = `{"pointer":${JSON.stringify(pointer)}`;
  if ('before' in values) text += `,"before":${shortened(formatJson(values.before), shown)}`;
  if ('after' in values) text += `,"after":${shortened(formatJson(values.after), shown)}`;
  return `${text}}`;
}

/** A value of a transition as it is shown, JSON. */
export const shortenedInTransition = (json: string): string => shortened(json, shownInTransition);

function shortened(json: string, shown: number): string {
  if (json.length <= shown) return json;
  const digest = createHash('sha256').update(json).digest('hex').slice(0, 8);
  const begin = json.slice(0, shown).toWellFormed();
  return JSON.stringify(`${begin}… (${json.length} characters, SHA-256 ${digest}…)`);
}

/** The first changes of a case, as far as there is room, and their pointers. */
export function describeChanges(changes: readonly ChangedField[]): { changes: string; pointers: string[] } {
  const texts: string[] = [];
  const pointers: string[] = [];
  let length = 0;
  for (const change of changes.slice(0, maxPointers)) {
    const text = changeText(change, shownInChange);
    length += text.length + 1;
    if (length > maxChangesLength) break;
    texts.push(text);
    pointers.push(change.pointer);
  }
  return { changes: `[${texts.join(',')}]`, pointers };
}
