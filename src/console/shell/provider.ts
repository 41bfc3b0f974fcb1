/** The OpenID provider that the service names for people, if it does. */
export interface Provider {
  readonly issuer: string;
  readonly clientId: string;
  readonly audience: string;
}

/** As the document says it; null where the service names none. */
export function readProvider(): Provider | null {
  const { issuer, client, audience } = document.documentElement.dataset;
  return issuer === undefined || client === undefined || audience === undefined
    ? null
    : { issuer, clientId: client, audience };
}
