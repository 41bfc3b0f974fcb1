import { expect } from 'chai';
import type { Violation } from '../../../src/errors.js';
import type { Answer } from '../../support/http.js';
import { expectProblem } from '../../support/asserts.js';
import { pathOf, planOf, type Described, type Parameter } from '../../support/operations/operations.js';
import { textsAgainst } from '../../support/operations/spoiled.js';
import { operationsThat, useStage } from './stage.js';

describe('the contract: a query', () => {
  const stage = useStage();

  const ask = (operation: Described, more: readonly (readonly [string, string])[]): Promise<Answer> => {
    const { query = '' } = planOf(operation).own(stage.world);
    const fields = new URLSearchParams(query);
    for (const [name] of more) fields.delete(name);
    for (const [name, value] of more) fields.append(name, value);
    return stage.ask(operation, { query: `?${fields.toString()}` });
  };
  /** The whole refusal of one parameter. */
  const requireRefused = (operation: Described, answer: Answer, pointer: string, message?: string): void => {
    const { errors = [] } = answer.body as { errors?: readonly Violation[] };
    const places = new Set(errors.map((error) => `${error.in} ${error.pointer}`));
    expect([...places], answer.text).to.deep.equal([`query ${pointer}`]);
    if (message !== undefined) expect(errors[0]?.message).to.equal(message);
    const instance = pathOf(operation, planOf(operation).own(stage.world).params);
    expectProblem(answer, 'validation_failed', { instance, errors });
  };
  const queriesOf = ({ parameters }: Described): Parameter[] => parameters.filter((one) => one.in === 'query');

  for (const operation of operationsThat(() => true)) {
    it(`of ${operation.id} has no other parameters, each once and of its kind`, () =>
      stage.unchanged(async () => {
        requireRefused(operation, await ask(operation, [['other', '1']]), 'other', 'is not a known field');
        for (const { name, schema } of queriesOf(operation)) {
          if (schema.type !== 'array') {
            const twice = await ask(operation, [
              [name, '1'],
              [name, '2'],
            ]);
            expect(twice.status, `${name} twice: ${twice.text}`).to.equal(400);
          }
          for (const text of textsAgainst(schema)) {
            const answer = await ask(operation, [[name, text]]);
            expect(answer.status, `${name}=${text}: ${answer.text}`).to.equal(400);
            requireRefused(operation, answer, name);
          }
        }
      }));
  }

  const has = (operation: Described, wanted: string): boolean =>
    queriesOf(operation).some(({ name }) => name === wanted);

  for (const operation of operationsThat((one) => has(one, 'after'))) {
    it(`of ${operation.id} takes a size from 1 to 5000 and cursors of its own, one at a time`, async () => {
      const sizes = ['0', '5001', '-1', '1.5', '1e2', 'ten', '', '00005'];
      for (const size of sizes) {
        const message = 'must be a whole number from 1 to 5000';
        requireRefused(operation, await ask(operation, [['size', size]]), 'size', message);
      }
      for (const size of ['1', '5000']) expect((await ask(operation, [['size', size]])).status).to.equal(200);
      for (const name of ['after', 'before'].filter((one) => has(operation, one))) {
        for (const cursor of ['', 'x?', '../../etc', "' OR 1=1 --", 'AAAA=']) {
          requireRefused(operation, await ask(operation, [[name, cursor]]), name, 'is not a cursor of this service');
        }
      }
      const { page } = (await ask(operation, [['size', '1']])).body as { page: { after: string | null } };
      const cursor = page.after;
      if (cursor === null) return;
      for (const name of ['after', 'before'].filter((one) => has(operation, one))) {
        expect((await ask(operation, [[name, cursor]])).status, name).to.equal(200);
      }
      if (!has(operation, 'before')) return;
      const both = [
        ['after', cursor],
        ['before', cursor],
      ] as const;
      requireRefused(operation, await ask(operation, both), 'before', 'cannot be combined with after');
    });
  }
});
