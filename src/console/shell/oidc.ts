import { ApiError, rootUrl, send } from '../api/client.js';
import type { Provider } from './provider.js';

/** What must outlive the way to the provider and back. It is no token, and is gone once it is read. */
interface Journey {
  readonly verifier: string;
  readonly state: string;
  /** Where the person was going. */
  readonly address: string;
}

const storageKey = 'verdict-sign-in';
const redirectUri = new URL('console', rootUrl).href;

/** Leaves the page for the provider's, by the authorization code flow with PKCE (RFC 7636). Rejects with `ApiError`. */
export async function leaveForProvider(provider: Provider): Promise<void> {
  const { authorization_endpoint: endpoint } = await discover(provider);
  const journey: Journey = { verifier: randomText(), state: randomText(), address: window.location.href };
  sessionStorage.setItem(storageKey, JSON.stringify(journey));
  const url = new URL(endpoint);
  const parameters = {
    response_type: 'code',
    client_id: provider.clientId,
    redirect_uri: redirectUri,
    scope: 'openid',
    audience: provider.audience,
    state: journey.state,
    code_challenge: await challengeOf(journey.verifier),
    code_challenge_method: 'S256',
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  window.location.assign(url);
}

/**
 * The token that the provider's answer in the address stands for; undefined where the address has none. Brings back the
 * address that the person was going to. Rejects with `ApiError`.
 */
export async function returnFromProvider(provider: Provider): Promise<string | undefined> {
  const query = new URLSearchParams(window.location.search);
  const kept = sessionStorage.getItem(storageKey);
  if (kept === null || !query.has('state')) return undefined;
  sessionStorage.removeItem(storageKey);
  // This page wrote it.
  const journey = JSON.parse(kept) as Journey;
  history.replaceState(null, '', journey.address);
  // Later, for the router begins to listen once all of the page is drawn.
  setTimeout(() => dispatchEvent(new PopStateEvent('popstate')));
  if (query.get('state') !== journey.state) throw refused('The answer belongs to another sign-in. Sign in again.');
  // RFC 9207: an answer that names another provider was made for that one.
  const from = query.get('iss') ?? provider.issuer;
  if (from !== provider.issuer) throw refused(`The answer is of another provider, ${from}.`);
  const code = query.get('code');
  if (code === null) throw refused(query.get('error_description') ?? query.get('error') ?? 'It gave no reason.');
  return exchange(provider, code, journey.verifier);
}

async function exchange(provider: Provider, code: string, verifier: string): Promise<string> {
  const { token_endpoint: endpoint } = await discover(provider);
  const response = await send(new URL(endpoint), {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: provider.clientId,
      redirect_uri: redirectUri,
      code,
      code_verifier: verifier,
    }),
  });
  const { access_token: token } = await membersOf(response);
  if (typeof token !== 'string') throw refused(`Its token endpoint answered ${response.status}.`);
  return token;
}

const endpoints = ['authorization_endpoint', 'token_endpoint'] as const;
type Endpoints = Readonly<Record<(typeof endpoints)[number], string>>;

async function discover({ issuer }: Provider): Promise<Endpoints> {
  const response = await send(new URL(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`), {});
  if (!response.ok) throw refused(`Its description cannot be read (${response.status}).`);
  const described = await membersOf(response);
  // OpenID Connect Discovery, 4.3: it describes the issuer that was asked for, and no other.
  if (described['issuer'] !== issuer) throw refused('Its description is of another issuer.');
  const [authorization = '', token = ''] = endpoints.map((name) => addressOf(described[name], name, issuer));
  return { authorization_endpoint: authorization, token_endpoint: token };
}

/** A browser would run a `javascript:` address; and what is sent in the open is read by others. */
function addressOf(value: unknown, name: string, issuer: string): string {
  const { protocol } = new URL(issuer);
  const isSafe =
    typeof value === 'string' && URL.canParse(value) && ['https:', protocol].includes(new URL(value).protocol);
  if (!isSafe) throw refused(`Its ${name} is no address of ${protocol === 'https:' ? 'https' : 'http or https'}.`);
  return value;
}

async function membersOf(response: Response): Promise<Readonly<Record<string, unknown>>> {
  const value: unknown = await response.json().catch(() => null);
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

const refused = (why: string): ApiError =>
  new ApiError(`The provider did not sign you in: ${why}`, { status: 0, code: 'refused' });

const randomText = (): string => base64url(crypto.getRandomValues(new Uint8Array(32)));

const challengeOf = async (verifier: string): Promise<string> =>
  base64url(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))));

const base64url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
