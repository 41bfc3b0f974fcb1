import type { IncomingMessage } from 'node:http';
import { Problem, problems } from '../errors.js';
import { readBytes } from '../http/body/body.js';
import type { ByteAccount } from '../admission/byteBudget.js';
import { mediaTypeOf } from '../http/body/jsonText.js';
import { OAuthError } from './oauthError.js';

/** Parameters of a token request; each is there at most once, and never empty. */
export type Form = ReadonlyMap<string, string>;

const maxBytes = 16 * 1024;

/** Reads an `application/x-www-form-urlencoded` body. Throws `OAuthError` `invalid_request`, and what the account throws. */
export async function readForm(request: IncomingMessage, account: ByteAccount): Promise<Form> {
  if (mediaTypeOf(request) !== 'application/x-www-form-urlencoded') {
    throw new OAuthError('invalid_request', 'The body must be application/x-www-form-urlencoded.');
  }
  if (request.headers['content-encoding'] !== undefined) {
    throw new OAuthError('invalid_request', 'The body must not be compressed.');
  }
  try {
    return parseForm((await readBytes(request, { account, maxBytes, factor: 1 })).toString('utf8'));
  } catch (error) {
    if (!(error instanceof Problem) || error.code === 'overloaded') throw error;
    throw new OAuthError('invalid_request', error.message, { status: problems[error.code].status, cause: error });
  }
}

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
