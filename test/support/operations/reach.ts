import type { ProblemCode } from '../../../src/errors.js';

/** What a request names, besides its operation. */
export interface Named {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: string;
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Names something that is in another state than the one that is wanted, so that a DELETE leaves it there. */
export const otherState = (params: NonNullable<Named['params']>): Named => ({ params, headers: { 'If-Match': '"0"' } });

/** One request of somebody in their own workspace that names something of another. */
export interface Reach {
  readonly what: string;
  readonly named: Named;
  /** The contract's answer: a problem, or a success that touches and shows nothing of theirs. */
  readonly wanted: ProblemCode | 200 | 201 | 202 | 204;
}
