import { finderOf } from './redact/finder.js';
import { leavesOf, variantsOf } from './redact/variants.js';
import type { Value } from './values.js';

/** What a secret reads as. */
const mark = '[REDACTED]';
/** Strings and numbers of a JSON text; the rest of it can hold no secret. */
const tokens = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g;

/** Takes the secrets of one environment out of what leaves the worker. */
export interface Redactor {
  /** A plain text, such as an error's message. */
  readonly text: (text: string) => string;
  /** A JSON text; what comes back is JSON too: a number that shows a secret becomes the text `[REDACTED]`. */
  readonly json: (json: string) => string;
}

const nothing: Redactor = { text: (text) => text, json: (json) => json };

/**
 * Makes the redactor of secret values (any JSON): every text and number in them of 4 or more characters, also
 * JSON-escaped (twice, too), URL-encoded and in base64. Made once for each revision of an environment.
 */
export function redactor(secrets: readonly Value[]): Redactor {
  const leaves = new Set<string>();
  for (const secret of secrets) leavesOf(secret, leaves);
  const variants = [...new Set([...leaves].flatMap((leaf) => [...variantsOf(leaf)]))];
  if (variants.length === 0) return nothing;
  const finder = finderOf(variants);
  // In a JSON text every variant stands escaped once more, so that one pass shows whether there is anything to do.
  const escaped = variants.map((variant) => JSON.stringify(variant).slice(1, -1));
  const inJson = finderOf([...new Set([...variants, ...escaped])]);

  const text = (plain: string): string => {
    const found = finder.all(plain);
    if (found.length === 0) return plain;
    let clean = '';
    let from = 0;
    for (const { start, end } of found) {
      clean += plain.slice(from, start) + mark;
      from = end;
    }
    return clean + plain.slice(from);
  };
  const token = (part: string): string => {
    if (!part.startsWith('"')) return finder.isIn(part) ? `"${mark}"` : part;
    const plain: unknown = JSON.parse(part);
    const clean = typeof plain === 'string' ? text(plain) : plain;
    return clean === plain ? part : JSON.stringify(clean);
  };
  return {
    text,
    // Escapes that our own JSON does not use could hide a secret from the first look.
    json: (json) => (inJson.isIn(json) || /\\[u/]/.test(json) ? json.replace(tokens, token) : json),
  };
}
