import { jsonOr } from '../api/exactJson.js';
import { isObject, type Fields } from '../graph/fields.js';

/** What a field holds, by names with dots between them as people type them; undefined where there is no such field. */
export function soughtIn(recorded: unknown, path: string): unknown {
  let at: unknown = recorded;
  for (const step of path.split('.')) {
    const holder = isObject(at) || Array.isArray(at) ? (at as Fields) : {};
    const name = Object.hasOwn(holder, step) ? step : Object.keys(holder).find((own) => bare(own) === bare(step));
    at = name === undefined ? undefined : holder[name];
  }
  return at;
}

/** `Loan amount`, `loan_amount`: one name. */
const bare = (name: string): string => name.toLowerCase().replaceAll(/[\s_-]+/g, '');

/** Whether a value is that text in any case, or that JSON, or the number that is meant: `30,000`. */
export function fits(at: unknown, value: string): boolean {
  if (typeof at === 'string' && at.trim().toLowerCase() === value.trim().toLowerCase()) return true;
  const texts = [value, value.toLowerCase(), ...(typeof at === 'string' ? [] : [plainNumber(value)])];
  return at !== undefined && texts.some((text) => JSON.stringify(at) === JSON.stringify(jsonOr(text, undefined)));
}

/** Without a currency and without what stands between thousands; a comma before other digits is a point. */
const plainNumber = (text: string): string =>
  text.replaceAll(/[\p{Sc}\s'’]|(?<=\d)[.,](?=\d{3}(?!\d))/gu, '').replace(/^(-?\d+),(\d+)$/, '$1.$2');

/** The names of fields that a value has, the outer ones first. */
export const fieldsOf = (value: unknown): string[] =>
  Object.entries(isObject(value) ? value : {}).flatMap(([name, inner]) => [
    name,
    ...fieldsOf(inner).map((field) => `${name}.${field}`),
  ]);
