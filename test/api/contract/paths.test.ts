import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { problems, type ProblemCode, type Violation } from '../../../src/errors.js';
import { expectProblem } from '../../support/asserts.js';
import { call } from '../../support/http.js';
import {
  document,
  pathOf,
  planOf,
  refused,
  type Described,
  type Parameter,
} from '../../support/operations/operations.js';
import { textsAgainst } from '../../support/operations/spoiled.js';
import { operationsThat, useStage } from './stage.js';

const stepsOf = ({ parameters }: Described): Parameter[] => parameters.filter((one) => one.in === 'path');
const idsOf = (operation: Described): Parameter[] =>
  stepsOf(operation).filter(({ schema }) => schema.format === 'uuid' || schema.type === 'integer');

const removes = ({ method }: Described): boolean => method === 'DELETE';
const codeOf = (name: string): string =>
  ['from', 'to'].includes(name) ? 'version_not_found' : `${name.replace(/Id$/, '')}_not_found`;
const withoutMatch = (headers: Readonly<Record<string, string>> = {}): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => name !== 'If-Match'));

describe('the contract: a path', () => {
  const stage = useStage();

  for (const operation of operationsThat((one) => stepsOf(one).some(({ schema }) => textsAgainst(schema).length > 0))) {
    it(`of ${operation.id} with a part that is not of its kind is refused, and changes nothing`, () =>
      stage.unchanged(async () => {
        const own = planOf(operation).own(stage.world);
        for (const { name, schema } of stepsOf(operation)) {
          // An empty one is another route.
          for (const text of textsAgainst(schema).filter((one) => one !== '')) {
            const params = { ...own.params, [name]: encodeURIComponent(text) };
            const answer = await stage.ask(operation, { params });
            const { errors = [] } = answer.body as { errors?: readonly Violation[] };
            expect(
              errors.map((error) => [error.in, error.pointer]),
              answer.text,
            ).to.deep.equal([['path', name]]);
            expectProblem(answer, 'validation_failed', { instance: pathOf(operation, params), errors });
          }
        }
      }));
  }

  for (const operation of operationsThat((one) => idsOf(one).length > 0)) {
    it(`of ${operation.id} with an id of nothing is ${removes(operation) ? '204' : 'the 404 of its kind'}`, () =>
      stage.unchanged(async () => {
        const own = planOf(operation).own(stage.world);
        // As of another workspace, so that nobody learns which ids there are.
        const wanted = planOf(operation)
          .reaches(stage.world, stage.world)
          .map((reach) => reach.wanted);
        for (const { name, schema } of idsOf(operation)) {
          const params = { ...own.params, [name]: schema.format === 'uuid' ? randomUUID() : '99999999999' };
          // Whatever state is asked for, there is none.
          const answer = await stage.ask(operation, { params, headers: withoutMatch(own.headers) });
          const code = (answer.body as { code?: ProblemCode } | undefined)?.code;
          if (wanted.includes(204) && answer.status === 204) continue;
          expect(code, `${name}: ${answer.status} ${answer.text}`).to.be.oneOf([...wanted, codeOf(name)]);
          expect(problems[code!].status).to.equal(404);
          refused(answer, code!, pathOf(operation, params));
        }
      }));
  }

  const anyMethod = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
  for (const [path, described] of Object.entries(document.paths)) {
    const [operation] = operationsThat((one) => one.path === path);
    if (operation === undefined) continue;
    it(`${path} has no methods but those of the document, and says which`, async () => {
      const allowed = Object.keys(described).map((method) => method.toUpperCase());
      const instance = pathOf(operation, planOf(operation).own(stage.world).params);
      const Allow = [...allowed, ...(allowed.includes('GET') ? ['HEAD'] : [])].sort().join(', ');
      for (const method of anyMethod.filter((one) => !allowed.includes(one))) {
        const answer = await call(stage.baseUrl + instance, { method });
        expectProblem(answer, 'method_not_allowed', { instance, headers: { Allow } });
      }
    });
  }
});
