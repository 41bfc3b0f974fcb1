import { jsonOr } from '../api/exactJson.js';
import { isObject, type Fields } from '../graph/fields.js';

/**
 * What a field holds, by names with dots between them as people type them; undefined where there is no such field. A name may have
 * dots of its own: `Customer no.`
 */
export function soughtIn(recorded: unknown, path: string): unknown {
  const holder = isObject(recorded) || Array.isArray(recorded) ? (recorded as Fields) : {};
  const steps = path.split('.');
  for (let count = steps.length; count > 0; count--) {
    const sought = steps.slice(0, count).join('.');
    const name = Object.hasOwn(holder, sought) ? sought : Object.keys(holder).find((own) => bare(own) === bare(sought));
    if (name === undefined) continue;
    const found = count === steps.length ? holder[name] : soughtIn(holder[name], steps.slice(count).join('.'));
    if (found !== undefined) return found;
  }
  return undefined;
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
