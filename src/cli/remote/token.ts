import { NotSignedIn, Refusal } from '../failures.js';
import type { Connection } from './connection.js';
import { exchange } from './exchange.js';

export interface Token {
  readonly text: string;
  readonly scopes: readonly string[];
}

/** Gives a token that is good for the next request; a new one where the last has expired, or `isRefused` says so. */
export type Tokens = (isRefused?: boolean) => Promise<Token>;

/** Seconds before its end in which a token is no longer used: the request takes time to get there. */
const marginS = 30;

/** Tokens of the client, by its credentials (RFC 6749, section 4.4). They are kept in memory alone. */
export function createTokens(connection: Connection): Tokens {
  let kept: { readonly token: Token; readonly until: number } | undefined;
  return async (isRefused = false) => {
    if (kept !== undefined && !isRefused && performance.now() < kept.until) return kept.token;
    const issued = await issue(connection);
    const lifetimeS = Math.max(issued.expiresIn - marginS, issued.expiresIn / 2);
    kept = { token: issued, until: performance.now() + lifetimeS * 1000 };
    return issued;
  };
}

/** @throws NotSignedIn where the service does not know the client or its secret */
async function issue({ url, clientId, clientSecret, source }: Connection): Promise<Token & { expiresIn: number }> {
  const answer = await exchange(
    {
      method: 'POST',
      url: `${url}/core/oauth2/token`,
      headers: {
        Authorization: basic(clientId, clientSecret),
        'Content-Type': 'application/x-www-form-urlencoded',
      },
      body: ['grant_type=client_credentials'],
    },
    true,
  );
  const body = parsed(answer.text);
  if (answer.status === 401 || body['error'] === 'invalid_client') {
    throw new NotSignedIn(`the server at ${url} does not accept the client ${clientId} with its secret (${source})`);
  }
  const { access_token: text, expires_in: expiresIn, scope } = body;
  if (answer.status !== 200 || typeof text !== 'string') {
    const reason = typeof body['error_description'] === 'string' ? `: ${body['error_description']}` : '';
    throw new Refusal(
      `the server at ${url} gave no token; it answered ${answer.status}${reason}. Is it a Verdict server?`,
    );
  }
  return {
    text,
    scopes: typeof scope === 'string' ? scope.split(' ') : [],
    expiresIn: typeof expiresIn === 'number' ? expiresIn : 0,
  };
}

/** RFC 6749, section 2.3.1. */
const basic = (id: string, secret: string): string =>
  `Basic ${Buffer.from(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`).toString('base64')}`;

function parsed(text: string): Readonly<Record<string, unknown>> {
  try {
    const value = JSON.parse(text) as unknown;
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}
