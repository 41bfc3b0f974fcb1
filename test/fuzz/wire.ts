import { Readable } from 'node:stream';
import { Pool } from 'undici';
import { joined, parsed, type Answer } from '../support/http.js';
import type { Case } from './cases.js';

/** An answer and the time that it took. */
export interface Timed extends Answer {
  readonly ms: number;
}

/** Milliseconds until an answer counts as not given: a hang, not a machine that is busy with other things. */
const withinMs = 60_000;

/** Connections to the server under test, kept alive. */
export interface Wire {
  /** Rejects when no answer comes. */
  send(request: Case): Promise<Timed>;
  close(): Promise<void>;
}

export const pathOf = ({ path, query }: Case): string =>
  query.length === 0 ? path : `${path}?${query.map(([name, value]) => `${name}=${value}`).join('&')}`;

export function openWire(baseUrl: string, connections: number): Wire {
  const pool = new Pool(baseUrl, { connections, pipelining: 1, headersTimeout: withinMs, bodyTimeout: withinMs });
  return {
    async send(request) {
      const started = performance.now();
      const { body = null, chunked } = request;
      const response = await pool.request({
        method: request.method,
        path: pathOf(request),
        headers: request.headers.flat(),
        // Undici's own limits begin when a request is on its way; this one holds while it waits for a connection too.
        signal: AbortSignal.timeout(2 * withinMs),
        body: body !== null && chunked ? Readable.from(pieces(body)) : body,
      });
      const text = await response.body.text();
      const answer = { status: response.statusCode, headers: joined(response.headers), text, body: parsed(text) };
      return { ...answer, ms: performance.now() - started };
    },
    close: () => pool.close(),
  };
}

const pieces = (body: Buffer): Buffer[] => [body.subarray(0, 7), body.subarray(7)].filter(({ length }) => length > 0);

/** A line for a shell that makes the same request. */
export function curlOf(baseUrl: string, request: Case): string {
  const { body, chunked } = request;
  const headers = [
    ...request.headers,
    ...(chunked && body !== undefined ? [['Transfer-Encoding', 'chunked'] as const] : []),
  ];
  // A header without a value is written with a semicolon; curl adds a content type of its own unless told.
  const named = headers.map(([name, value]) => `-H ${quoted(value.trim() === '' ? `${name};` : `${name}: ${value}`)}`);
  const typed = headers.some(([name]) => name.toLowerCase() === 'content-type') ? [] : [`-H 'Content-Type:'`];
  const line = ['curl -sS -i --path-as-is -g', `-X ${request.method}`, ...named];
  if (body === undefined) return [...line, quoted(baseUrl + pathOf(request))].join(' ');
  const sent = [...line, ...typed, '--data-binary @-', quoted(baseUrl + pathOf(request))].join(' ');
  return `printf %s ${body.toString('base64')} | base64 -d | ${sent}`;
}

/** As bytes, one per character, which is how headers are sent. */
function quoted(text: string): string {
  if (/^[\x20-\x7e]*$/.test(text)) return `'${text.replaceAll("'", `'\\''`)}'`;
  const escaped = Array.from(Buffer.from(text, 'latin1'), (byte) =>
    byte > 0x1f && byte < 0x7f && byte !== 0x27 && byte !== 0x5c
      ? String.fromCharCode(byte)
      : `\\x${byte.toString(16).padStart(2, '0')}`,
  );
  return `$'${escaped.join('')}'`;
}
