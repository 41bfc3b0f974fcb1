import { expect } from 'chai';
import { createPrograms } from '../../../workers/programs.js';
import { defaultLimits } from '../../../workers/engine/limits.js';
import { frozen, graph, input, expressions } from '../../support/engine.js';
import { measuredShapes, shapes } from '../../support/footprints.js';
import { programOf } from '../../support/tasks.js';

const megabyte = 1024 * 1024;

const patterns = (count: number, name: string): object =>
  graph(
    [
      input,
      expressions(
        'e',
        Object.fromEntries(
          Array.from({ length: count }, (_, at) => [`k${at}`, `matches(a, '(\\pL|\\d){700}x${name}${at}')`]),
        ),
      ),
    ],
    ['in>e'],
  ) as object;

describe('what a program keeps of a thread', () => {
  let measured: Awaited<ReturnType<typeof measuredShapes>>;
  before(async () => {
    measured = await measuredShapes();
  });

  for (const name of Object.keys(shapes)) {
    it(`is counted within a factor of three: ${name}`, () => {
      const { counted, taken } = measured[name]!;
      expect(counted / taken, `${counted} for ${taken}`).within(1 / 3, 3);
    });
  }

  it('is bounded for each program', () => {
    const programs = createPrograms(8 * megabyte, { limits: defaultLimits });
    const { id, bundle } = programOf(patterns(40, 'a'), {});
    const loaded = programs.load(id, { bundle, workspaceId: 'a' });
    const outcome = 'run' in loaded ? loaded.run({ a: 'x' }, frozen) : undefined;
    expect(outcome).to.nested.include({ status: 'FAILED', 'error.code': 'limit_program' });
  });

  it('is bounded by workspace, so that others keep theirs', () => {
    const programs = createPrograms(64 * megabyte, { limits: defaultLimits });
    const own = programOf(patterns(2, 'own'), {});
    programs.load(own.id, { bundle: own.bundle, workspaceId: 'b' });
    const hostile = Array.from({ length: 30 }, (_, at) => programOf(patterns(10, `h${at}`), {}));
    for (const { id, bundle } of hostile) programs.load(id, { bundle, workspaceId: 'a' });
    expect(programs.get(own.id)).to.not.equal(undefined);
    expect(hostile.filter(({ id }) => programs.get(id) !== undefined).length).within(1, 4);
  });
});
