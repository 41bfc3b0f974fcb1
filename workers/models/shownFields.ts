import { formatJson, isContainer, parseExactly, shortName } from '../json/index.js';
import type { ShownFields } from './tasks.js';

/** Fields that are shown of a value, and characters of their paths and values together. */
const most = { fields: 200, characters: 100_000 };
/** Characters of one value, of which there may be few on a page. */
const longestValue = 20_000;

/**
 * The fields of a value, each by its path, as far as a page for people has room: a name that is long stands in the path of
 * every field below it, so that one of a megabyte with 200 fields would become 200 megabytes.
 * @param json the value as JSON
 */
export function shownFields(json: string): ShownFields {
  const shown: [path: string, value: string][] = [];
  let [left, room] = [0, most.characters];
  const walk = (part: unknown, path: string): void => {
    const entries = isContainer(part) ? Object.entries(part) : [];
    for (const [name, inner] of entries) {
      if (shown.length < most.fields && room > 0)
        walk(inner, Array.isArray(part) ? `${path}[${name}]` : below(path, name));
      else left += leavesOf(inner);
    }
    if (entries.length > 0) return;
    const value = cut(typeof part === 'string' ? part : formatJson(part));
    room -= path.length + value.length;
    shown.push([path === '' ? 'value' : path, value]);
  };
  walk(parseExactly(json), '');
  return { shown, left };
}

const below = (path: string, name: string): string => (path === '' ? shortName(name) : `${path}.${shortName(name)}`);

/** How many values there are in one that are no lists or objects with members. */
function leavesOf(value: unknown): number {
  const inner = isContainer(value) ? Object.values(value) : [];
  return inner.length === 0 ? 1 : inner.reduce<number>((sum, each) => sum + leavesOf(each), 0);
}

function cut(text: string): string {
  if (text.length <= longestValue) return text;
  return `${text.slice(0, longestValue).toWellFormed()}… (${text.length} characters)`;
}
