import { Problem, type ProblemCode } from '../../errors.js';
import { readExplanation } from './explanation.js';

const requestId = '5f0c7a52-8d1e-4b7f-9a36-2c4e6b8d0f11';

/** A response with that code, made by the same code as real ones. */
export function exampleOf(code: ProblemCode): {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, unknown>>;
} {
  const { instance, detail, ...options } = readExplanation(code).example;
  const problem = new Problem(code, detail, options);
  return {
    headers: { 'Content-Type': 'application/problem+json', 'X-Request-Id': requestId, ...problem.headers() },
    body: problem.body(instance, requestId),
  };
}
