import { expect } from 'chai';
import type { Violation } from '../../../src/errors.js';
import { expectProblem } from '../../support/asserts.js';
import { pathOf, planOf, refused, type Described } from '../../support/operations/operations.js';
import { openPlaces, spoiledOf } from '../../support/operations/spoiled.js';
import { operationsThat, useStage } from './stage.js';

describe('the contract: a body', () => {
  const stage = useStage();

  it('has no fields but those of the document, except where it may hold anything', () => {
    const open = operationsThat(({ body }) => body !== undefined).flatMap(({ id, body = {} }) =>
      [...openPlaces(body)].map((place) => `${id} ${place}`),
    );
    // A message of a protocol that is not ours.
    expect(open).to.deep.equal(['callTools ']);
  });

  for (const operation of operationsThat(({ body }) => body !== undefined)) {
    const instance = (): string => pathOf(operation, planOf(operation).own(stage.world).params);

    it(`of ${operation.id} that breaks its schema is refused with the place, and changes nothing`, async () => {
      await stage.unchanged(async () => {
        for (const { what, pointer, body, message } of spoiledOf(operation.body ?? {})) {
          const answer = await stage.ask(operation, { body: Buffer.from(JSON.stringify(body)), headers: json });
          const { errors = [] } = answer.body as { errors?: readonly Violation[] };
          expect(answer.status, `${what}: ${answer.text}`).to.equal(400);
          expectProblem(answer, 'validation_failed', { instance: instance(), errors });
          const found = errors.find((error) => error.in === 'body' && error.pointer === pointer);
          expect(found, `${what}, ${pointer}: ${answer.text}`).to.not.equal(undefined);
          if (message !== undefined) expect(found?.message, what).to.match(message);
        }
      });
    });
  }

  for (const operation of operationsThat(({ bodyType }) => bodyType !== undefined)) {
    const instance = (): string => pathOf(operation, planOf(operation).own(stage.world).params);

    it(`of ${operation.id} is refused where it is no JSON, and where it is of another type`, async () => {
      await stage.unchanged(async () => {
        const other = [
          ...['text/plain', 'application/xml', 'application/json; charset=latin1', 'json'].map((type) => ({
            'Content-Type': type,
          })),
          {},
          { ...headersOf(operation), 'Content-Encoding': 'compress' },
        ];
        for (const headers of other) {
          const answer = await stage.ask(operation, { body: Buffer.from('{'), headers });
          refused(answer, 'unsupported_media_type', instance());
        }
        if (operation.body === undefined) return;
        for (const text of ['{"name":', '{} {}', 'text', ...(operation.needsBody ? [''] : [])]) {
          const answer = await stage.ask(operation, { body: Buffer.from(text), headers: json });
          refused(answer, 'malformed_json', instance());
        }
      });
    });
  }
});

const json = { 'Content-Type': 'application/json' };
const headersOf = ({ bodyType = '' }: Described): Record<string, string> => ({ 'Content-Type': bodyType });
