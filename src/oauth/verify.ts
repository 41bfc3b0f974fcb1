import type { Principal } from './principal.js';

/** Tells who sends an `Authorization: Bearer …` header. */
export interface Verifier {
  /**
   * No promise when the token is known and its client was looked at lately.
   * Throws (or rejects with) `unauthorized` with WWW-Authenticate per RFC 6750; `dependency_unavailable` when
   * MySQL or a trusted issuer can't be asked.
   */
  verify(authorization: string | undefined): Principal | Promise<Principal>;
}
