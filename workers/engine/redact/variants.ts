import { oneLine } from '../errors.js';
import type { Value } from '../values.js';
import { Decimal } from '../zen/values/decimal.js';
import { isObject } from '../zen/values/kinds.js';
import { numberText, parseNumber, type Numeric } from '../zen/values/numbers.js';
import { stringify } from '../zen/values/json.js';

/** Secrets shorter than this are not redacted: they would be found everywhere. */
const shortest = 4;

/**
 * Levels of JSON within JSON strings at which a secret is found, unless escaping makes it more than `mostGrowth` times
 * longer.
 */
const escapeLevels = 6;
const mostGrowth = 20;

/** The texts, numbers and keys in a secret value, as texts. */
export function leavesOf(secret: Value, leaves: Set<string> = new Set()): Set<string> {
  if (Array.isArray(secret)) secret.forEach((item) => leavesOf(item, leaves));
  else if (isObject(secret)) {
    for (const [key, item] of Object.entries(secret)) {
      leaves.add(key);
      leavesOf(item, leaves);
    }
  } else if (typeof secret === 'string') leaves.add(secret);
  // true, false and null are no secrets; numbers and dates are, as the text that they appear as.
  else if (secret !== null && typeof secret !== 'boolean') leaves.add(stringify(secret).replaceAll('"', ''));
  return leaves;
}

/** Every form in which a secret text may stand in another text; none for a short one. */
export function variantsOf(secret: string): Set<string> {
  const variants = new Set<string>();
  // Base64 of 4 bytes at an unknown offset shows at least 4 characters, so that no form of a redacted secret is
  // dropped.
  const add = (text: string): void => {
    if (text.length >= shortest) variants.add(text);
  };
  for (const number of numberForms(secret)) add(number);
  if (secret.length < shortest) return variants;
  // Hosts and headers are written in lower case, and `upper` and `lower` are functions of models.
  for (const text of new Set([secret, secret.toLowerCase(), secret.toUpperCase()])) {
    escapedForms(text).forEach(add);
    urlForms(text).forEach(add);
    // As a property's name in a JSON Pointer (RFC 6901), which errors of JSON Schemas contain.
    escapedForms(text.replaceAll('~', '~0').replaceAll('/', '~1')).forEach(add);
  }
  // An error is shown as one line.
  add(oneLine(secret));
  const hex = Buffer.from(secret).toString('hex');
  add(hex);
  add(hex.toUpperCase());
  base64Forms(Buffer.from(secret)).forEach(add);
  return variants;
}

/** A log line is JSON in a string, and may hold JSON in strings itself. */
function escapedForms(text: string): string[] {
  const forms: string[] = [];
  let escaped = text;
  for (let level = 0; level < escapeLevels && escaped.length <= text.length * mostGrowth; level++) {
    forms.push(escaped);
    const next = JSON.stringify(escaped).slice(1, -1);
    if (next === escaped) break;
    escaped = next;
  }
  return forms;
}

/**
 * A number as the engine, JSON and JavaScript write it, without its sign: with all digits or those that a double keeps,
 * in full or with an exponent. None for a text that is no number, or for one of less than 4 characters.
 */
function numberForms(text: string): string[] {
  const digits = /^\s*[+-]?((?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,3})?)\s*$/.exec(text)?.[1];
  if (digits === undefined || text.length < shortest) return [];
  const double = Number(digits);
  const exact = parseNumber(digits);
  const numbers: Numeric[] = [...(exact === undefined ? [] : [exact]), ...(Number.isFinite(double) ? [double] : [])];
  const forms = [digits];
  for (const number of numbers) {
    forms.push(numberText(number));
    if (number instanceof Decimal) forms.push(number.toJsonText());
    const plain = plainDigits(number instanceof Decimal ? number.toJsonText() : String(number));
    forms.push(plain, ...exponentForms(plain));
  }
  return forms;
}

/** `1.5e+21` as `1500000000000000000000`, `1.25e-7` as `0.000000125`. */
function plainDigits(text: string): string {
  const [, whole = '', fraction = '', exponent = '0'] = /^(\d*)\.?(\d*)(?:e([+-]?\d+))?$/.exec(text) ?? [];
  const point = whole.length + Number(exponent);
  const digits = whole + fraction;
  if (point <= 0) return `0.${'0'.repeat(-point)}${digits}`;
  return point >= digits.length ? digits.padEnd(point, '0') : `${digits.slice(0, point)}.${digits.slice(point)}`;
}

/** `0.000000125` as `1.25e-7` and `1.25E-7`, `1500` as `1.5e3`, `1.5e+3` and `1.5E3`, `1.5E+3`. */
function exponentForms(plain: string): string[] {
  const [whole = '', fraction = ''] = plain.split('.');
  const significant = (whole + fraction).replace(/^0+/, '').replace(/0+$/, '');
  if (significant === '') return [];
  const leading = (whole + fraction).length - (whole + fraction).replace(/^0+/, '').length;
  const exponent = whole.length - leading - 1;
  const mantissa = significant.length === 1 ? significant : `${significant.slice(0, 1)}.${significant.slice(1)}`;
  const signs = exponent < 0 ? ['-'] : ['', '+'];
  return signs.flatMap((sign) => ['e', 'E'].map((e) => `${mantissa}${e}${sign}${Math.abs(exponent)}`));
}

/** Percent-encoding as components, whole addresses and forms do it, with upper and lower case digits. */
function urlForms(secret: string): string[] {
  // Encoders throw on half a surrogate pair; what is sent then holds the replacement character.
  const text = Buffer.from(secret).toString();
  const component = encodeURIComponent(text);
  const strict = component.replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
  const form = new URLSearchParams([['', text]]).toString().slice(1);
  const plain = [component, strict, encodeURI(text), form].flatMap((url) => [url, url.replaceAll('%20', '+')]);
  return plain.flatMap((url) => [url, url.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase())]);
}

/**
 * The text in base64, on its own and as a part of something longer: three bytes make four characters, so that there
 * are three ways for it to lie. Characters that also hold a neighbour's bits cannot be known and are left out.
 */
function base64Forms(bytes: Buffer): string[] {
  const forms: string[] = [];
  for (const encoding of ['base64', 'base64url'] as const) {
    forms.push(bytes.toString(encoding));
    for (let before = 0; before < 3; before++) {
      const padded = Buffer.concat([Buffer.alloc(before), bytes]).toString(encoding);
      const first = Math.ceil((before * 8) / 6);
      const last = Math.floor(((before + bytes.length) * 8) / 6);
      forms.push(padded.slice(first, last));
    }
  }
  return forms;
}
