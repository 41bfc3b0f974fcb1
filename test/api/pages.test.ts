import { useApp } from '../support/app.js';
import { expectProblem } from '../support/asserts.js';
import { useScene } from '../support/scene.js';

const unknown = { in: 'query', pointer: 'foo', message: 'is not a known field' } as const;
const badSize = { in: 'query', pointer: 'size', message: 'must be a whole number from 1 to 5000' } as const;
const twice = { in: 'query', pointer: 'size', message: 'must be string' } as const;
const notBoth = { in: 'query', pointer: 'before', message: 'cannot be combined with after' } as const;
const noCursor = (pointer: string) => ({ in: 'query', pointer, message: 'is not a cursor of this service' }) as const;

describe('queries for pages', () => {
  const app = useApp();
  const scene = useScene(app);

  for (const [query, errors] of [
    ['size=0&foo=1', [unknown, badSize]],
    ['size=1&size=2&after=x', [twice, noCursor('after')]],
    ['foo=1&after=A&before=B', [unknown, noCursor('after'), noCursor('before'), notBoth]],
    ['size=9999&after=&before=x', [badSize, noCursor('after'), noCursor('before'), notBoth]],
    ['after=x&after=y&before=z', [{ ...twice, pointer: 'after' }, noCursor('before'), notBoth]],
  ] as const) {
    for (const path of ['/logic/environments', '/logic/deployments']) {
      it(`${path}?${query}: every violation is listed, where the schema's hid the others`, async () => {
        expectProblem(await scene.caller.get(`${path}?${query}`), 'validation_failed', {
          instance: path,
          errors,
          detail: 'The query breaks its schema.',
        });
      });
    }
  }
});
