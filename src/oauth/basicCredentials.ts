/** A client's id and secret, as claimed. */
export interface BasicCredentials {
  readonly id: string;
  readonly secret: string;
}

// More than a UUID and a secret of 43 characters take with every character percent-encoded.
const maxLength = 2048;

/**
 * Reads `Authorization: Basic …` as OAuth defines it (RFC 6749, section 2.3.1): id and secret are form-urlencoded, then
 * joined by a colon and base64-encoded. Undefined for a header of another scheme or that can't be decoded.
 */
export function readBasic(authorization: string): BasicCredentials | undefined {
  if (authorization.length > maxLength) return undefined;
  const encoded = /^Basic +([A-Za-z0-9+/]+={0,2}) *$/i.exec(authorization)?.[1];
  if (encoded === undefined) return undefined;
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  if (colon === -1) return undefined;
  const id = formDecode(text.slice(0, colon));
  const secret = formDecode(text.slice(colon + 1));
  return id === undefined || secret === undefined ? undefined : { id, secret };
}

function formDecode(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}
