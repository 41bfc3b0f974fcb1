import { rootUrl } from './client.js';

/** Says that the request is the console's own, and how its page was loaded. */
const headers = { 'X-Verdict-Console': window.location.protocol };
const url = new URL('console/session', rootUrl);

/** The browser keeps the token in a cookie that scripts cannot read; without cookies a reload asks for the secret again. */
const ask = (method: string, more: Readonly<Record<string, string>> = {}): Promise<Response> =>
  fetch(url, { method, headers: { ...headers, ...more }, credentials: 'same-origin', cache: 'no-store' });

/** The token of the session that the browser has; null where there is none. */
export async function keptToken(): Promise<string | null> {
  try {
    const response = await ask('GET');
    return response.status === 200 ? ((await response.json()) as { readonly token: string }).token : null;
  } catch {
    // The sign-in tells of a service that is away.
    return null;
  }
}

export async function keepToken(token: string): Promise<void> {
  await ask('POST', { Authorization: `Bearer ${token}` }).catch(() => undefined);
}

export async function forgetToken(): Promise<void> {
  await ask('DELETE').catch(() => undefined);
}

/** Tells the other tabs that the session has ended. */
export interface Tabs {
  readonly tell: () => void;
  readonly close: () => void;
}

export function otherTabs(onEnd: () => void): Tabs {
  const channel = new BroadcastChannel(`verdict-console ${rootUrl.pathname}`);
  channel.onmessage = onEnd;
  return { tell: () => channel.postMessage('signed out'), close: () => channel.close() };
}
