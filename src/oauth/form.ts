import type { IncomingMessage } from 'node:http';
import { Problem } from '../errors.js';
import type { ByteAccount } from '../http/body/inflate.js';
import { OAuthError } from './oauthError.js';

/** Parameters of a token request; each is there at most once, and never empty. */
export type Form = ReadonlyMap<string, string>;

const maxBytes = 16 * 1024;

/** Reads an `application/x-www-form-urlencoded` body. Throws `OAuthError` `invalid_request`, and what the account throws. */
export async function readForm(request: IncomingMessage, account: ByteAccount): Promise<Form> {
  const [media = ''] = (request.headers['content-type'] ?? '').split(';');
  if (media.trim().toLowerCase() !== 'application/x-www-form-urlencoded') {
    throw new OAuthError('invalid_request', 'The body must be application/x-www-form-urlencoded.');
  }
  if (request.headers['content-encoding'] !== undefined) {
    throw new OAuthError('invalid_request', 'The body must not be compressed.');
  }
  return parseForm(await readText(request, account));
}

async function readText(request: IncomingMessage, account: ByteAccount): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    // The request is not destroyed when refused, or the response would be lost with the connection.
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > maxBytes) throw tooLarge();
      account.grow(chunk.length);
      chunks.push(chunk);
    }
  } catch (error) {
    if (error instanceof OAuthError || error instanceof Problem) throw error;
    throw new OAuthError('invalid_request', 'The body ended before its announced length.', { cause: error });
  }
  return Buffer.concat(chunks).toString('utf8');
}

const tooLarge = (): OAuthError =>
  new OAuthError('invalid_request', `The body may have at most ${maxBytes} bytes.`, {
    status: 413,
    headers: { Connection: 'close' },
  });

/** RFC 6749, section 3.2: a parameter without a value counts as omitted; none may be there twice. */
export function parseForm(text: string): Form {
  const form = new Map<string, string>();
  const seen = new Set<string>();
  for (const [name, value] of new URLSearchParams(text)) {
    if (seen.has(name)) throw new OAuthError('invalid_request', 'A parameter is repeated.');
    seen.add(name);
    if (value !== '') form.set(name, value);
  }
  return form;
}
