import { oneLine } from '../errors.js';
import type { Value } from '../values.js';
import { isObject } from '../zen/values/kinds.js';
import { stringify } from '../zen/values/json.js';

/** Secrets shorter than this are not redacted: they would be found everywhere. */
const shortest = 4;

/** JSON in JSON in …: so deep is a secret found, unless that makes it so many times longer. */
const escapeLevels = 6;
const mostGrowth = 20;

/** The texts and numbers in a secret value, as texts. */
export function leavesOf(secret: Value, leaves: Set<string> = new Set()): Set<string> {
  if (Array.isArray(secret)) secret.forEach((item) => leavesOf(item, leaves));
  else if (isObject(secret)) Object.values(secret).forEach((item) => leavesOf(item, leaves));
  else if (typeof secret === 'string') leaves.add(secret);
  // true, false and null are no secrets; numbers and dates are, as the text that they appear as.
  else if (secret !== null && typeof secret !== 'boolean') leaves.add(stringify(secret).replaceAll('"', ''));
  return leaves;
}

/** Every form in which a secret text may stand in another text; none for a short one. */
export function variantsOf(secret: string): Set<string> {
  const variants = new Set<string>();
  if (secret.length < shortest) return variants;
  // No form is shorter than 4 characters: so long is what base64 shows of 4 bytes.
  const add = (text: string) => variants.add(text);
  // A log line is JSON in a string, and may hold JSON in strings itself.
  let escaped = secret;
  for (let level = 0; level < escapeLevels && escaped.length <= secret.length * mostGrowth; level++) {
    add(escaped);
    escaped = JSON.stringify(escaped).slice(1, -1);
  }
  // An error is shown as one line.
  const line = oneLine(secret);
  if (line.length >= shortest) add(line);
  const hex = Buffer.from(secret).toString('hex');
  add(hex);
  add(hex.toUpperCase());
  urlForms(secret).forEach(add);
  base64Forms(Buffer.from(secret)).forEach(add);
  return variants;
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
