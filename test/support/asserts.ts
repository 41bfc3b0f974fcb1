import { expect } from 'chai';
import { problems, type ProblemCode, type Violation } from '../../src/errors.js';
import type { Answer } from './http.js';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Asserts a whole problem answer: every header that matters and every member of the body (contract.md, section 1). */
export function expectProblem(
  answer: Answer,
  code: ProblemCode,
  expected: {
    readonly instance: string;
    readonly errors?: readonly Violation[];
    readonly detail?: string;
    readonly headers?: Readonly<Record<string, string | RegExp>>;
    readonly extensions?: Readonly<Record<string, unknown>>;
  },
): void {
  const { status, title } = problems[code];
  expect(answer.status, answer.text).to.equal(status);
  expect(answer.headers['content-type']).to.equal('application/problem+json');
  const requestId = answer.headers['x-request-id'];
  expect(requestId).to.match(uuid);
  const body = answer.body as { detail: unknown };
  expect(body.detail).to.be.a('string').and.not.equal('');
  expect(body).to.deep.equal({
    type: `/problems/${code}`,
    title,
    status,
    detail: expected.detail ?? body.detail,
    instance: expected.instance,
    code,
    requestId,
    ...(expected.errors === undefined ? {} : { errors: expected.errors }),
    ...expected.extensions,
  });
  for (const [name, value] of Object.entries(expected.headers ?? {})) {
    if (typeof value === 'string') expect(answer.headers[name.toLowerCase()]).to.equal(value);
    else expect(answer.headers[name.toLowerCase()]).to.match(value);
  }
}

/** What an answer has that is no refusal. */
export function bodyOf({ status, text, body }: Answer, wanted = 200): unknown {
  expect(status, text).to.equal(wanted);
  return body;
}

export const uuidV7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
export const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
