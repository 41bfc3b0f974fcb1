import type { Thrown } from './machine.js';

/*
 * Parses messages of the guest. They are untrusted: these functions throw on what the prelude would never have written,
 * and the run ends.
 */

/** What `zen` is asked to evaluate. */
export interface GuestExpression {
  readonly unary: boolean;
  readonly expression: string;
  readonly context: unknown;
}

/** What `http` is asked to send; only method and url are looked at here. */
export interface GuestRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: unknown;
  readonly params: unknown;
  readonly data: unknown;
  readonly auth: unknown;
}

/** A JSON array of strings. */
export function readTexts(text: string): string[] {
  const value: unknown = JSON.parse(text);
  if (!Array.isArray(value)) throw new TypeError('not an array');
  return value.map((item: unknown) => textOf(item));
}

export function readError(text: string): Thrown {
  const [name = '', message = '', stack = ''] = readTexts(text);
  return { name, message, stack };
}

export function readExpression(text: string): GuestExpression {
  const value = readObject(text);
  return { unary: value['unary'] === true, expression: textOf(value['expression']), context: value['context'] ?? null };
}

export function readRequest(text: string): GuestRequest {
  const { method, url, headers, params, data, auth } = readObject(text);
  return { method: textOf(method), url: textOf(url), headers, params, data, auth };
}

function readObject(text: string): Record<string, unknown> {
  const value: unknown = JSON.parse(text);
  if (typeof value !== 'object' || value === null) throw new TypeError('not an object');
  return { ...value };
}

function textOf(value: unknown): string {
  if (typeof value !== 'string') throw new TypeError('not a string');
  return value;
}
