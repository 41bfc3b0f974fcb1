import json5 from 'json5';
import { parseNumber, setKey, type Value } from '../../workers/engine/index.js';
import { dateField } from '../../workers/engine/zen/dates/read.js';

/** Texts, names and numbers of a literal, and dates such as `date('2024-03-15')`. */
const tokens =
  /'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|date\('([^']*)'\)|[A-Za-z_$][\w$]*|[+-]?\.?\d[\w.]*(?:(?<=[eE])[+-]\d+)?/g;
/** Stands before what JSON5 has no notation for. */
const [numberMark, dateMark] = ['\u0000number:', '\u0000date:'];

/** Reads a literal in JSON5's notation, every number with all its digits. @throws Error where it is none */
export function parseExact(text: string): Value {
  const marked = text.replace(tokens, (token: string, date: string | undefined, at: number) => {
    if (date !== undefined) return JSON.stringify(dateMark + date);
    const isKey = /^\s*:/.test(text.slice(at + token.length));
    return isKey || !/^[+-]?\.?\d/.test(token) ? token : JSON.stringify(numberMark + token);
  });
  return restored(json5.parse(marked));
}

function restored(json: unknown): Value {
  if (Array.isArray(json)) return json.map(restored);
  if (typeof json === 'object' && json !== null) {
    const object = {};
    for (const [key, item] of Object.entries(json)) setKey(object, key, restored(item));
    return object;
  }
  if (typeof json !== 'string') return json as Value;
  if (json.startsWith(dateMark)) return dateField(json.slice(dateMark.length));
  if (!json.startsWith(numberMark)) return json;
  const number = parseNumber(json.slice(numberMark.length));
  if (number === undefined) throw new Error(`${json.slice(numberMark.length)} is no number of the language`);
  return number;
}
