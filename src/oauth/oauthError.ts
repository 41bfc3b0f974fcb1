/** Codes of RFC 6749, section 5.2 and RFC 8707, section 2, and some of our own, with their status. */
export const oauthErrorStatuses = {
  invalid_request: 400,
  invalid_client: 401,
  unsupported_grant_type: 400,
  invalid_scope: 400,
  invalid_target: 400,
  too_many_requests: 429,
  server_error: 500,
  temporarily_unavailable: 503,
} as const;

type OAuthErrorCode = keyof typeof oauthErrorStatuses;

/** What the token endpoint refuses a request with. The description is public: no secret, no text of the request. */
export class OAuthError extends Error {
  readonly code: OAuthErrorCode;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    code: OAuthErrorCode,
    description: string,
    options: {
      readonly status?: number;
      readonly headers?: Readonly<Record<string, string>>;
      /** Logged, and never answered. */
      readonly cause?: unknown;
    } = {},
  ) {
    super(description, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'OAuthError';
    this.code = code;
    this.status = options.status ?? oauthErrorStatuses[code];
    this.headers = options.headers ?? {};
  }
}
