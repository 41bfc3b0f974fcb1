/** Who is signed in, as far as the token says it. */
export interface Who {
  /** As entries of the audit trail call them. */
  readonly principal: string;
  /** Of a person who came by a provider. */
  readonly name: string | null;
  /** Null where the token does not say what it may do. */
  readonly scopes: ReadonlySet<string> | null;
}

/** What a token says of itself. It is the service that judges tokens: here it is only shown. */
export function whoOf(token: string): Who {
  const claims = claimsOf(token);
  const text = (name: string): string | null => {
    const value = claims[name];
    return typeof value === 'string' && value !== '' ? value : null;
  };
  const subject = text('sub') ?? 'unknown';
  const client = text('client_id');
  const scope = text('scope');
  if (client === subject) return { principal: `client:${subject}`, name: null, scopes: new Set(scope?.split(' ')) };
  const name = text('name') ?? text('preferred_username') ?? text('email') ?? subject;
  return { principal: `user:${text('iss') ?? ''}#${subject}`, name, scopes: null };
}

function claimsOf(token: string): Readonly<Record<string, unknown>> {
  try {
    const part = (token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/');
    const bytes = Uint8Array.from(atob(part), (letter) => letter.charCodeAt(0));
    const claims: unknown = JSON.parse(new TextDecoder().decode(bytes));
    return typeof claims === 'object' && claims !== null ? { ...claims } : {};
  } catch {
    return {};
  }
}
