import { expect } from 'chai';
import fc from 'fast-check';
import { isLong, seed, wholeNumber } from '../support/environment.js';
import { startServer, type ServerProcess } from '../support/process.js';
import { longTimeouts } from '../support/settings.js';
import type { Step } from './changeStep.js';
import { ChangeSystem } from './changeSystem.js';

const numRuns = wholeNumber('CHANGE_RUNS') ?? (isLong ? 4 : 1);
/** Groups of steps that go on at the same time. */
const groups = isLong ? 125 : 30;
/** So many groups in which nothing crashes come to one in which a process does: in the short form of seed 1 there is one. */
const calm = isLong ? 60 : 20;
const perGroup = 4;

/** What people do, and how often. A number chooses whom it is about. */
const step: fc.Arbitrary<Step> = fc
  .tuple(
    fc.constantFrom<Step['kind']>(
      ...(['ask', 'ask', 'approve', 'approve', 'approve', 'apply', 'apply', 'apply', 'reject', 'close'] as const),
      ...([
        'override',
        'protect',
        'unknownDigest',
        'deploy',
        'patch',
        'variable',
        'hosts',
        'remove',
        'rollback',
      ] as const),
    ),
    fc.nat(1000),
    fc.boolean(),
  )
  .map(([kind, choice, second]) => ({ kind, choice, server: second ? 1 : 0 }));
const crash: fc.Arbitrary<Step> = fc.boolean().map((second) => ({ kind: 'crash', choice: 0, server: second ? 1 : 0 }));
const group = fc
  .tuple(
    fc.array(step, { minLength: perGroup, maxLength: perGroup }),
    fc.oneof(
      { weight: calm, arbitrary: fc.constant([] as Step[]) },
      { weight: 1, arbitrary: crash.map((one) => [one]) },
    ),
  )
  .map(([steps, crashes]) => [...steps, ...crashes]);

describe('change requests against a model in memory', function () {
  this.timeout(300_000 + numRuns * 180_000);
  let servers: ServerProcess[];
  before(async () => {
    servers = await Promise.all([startServer(longTimeouts), startServer(longTimeouts)]);
  });
  after(() => Promise.all(servers.map((server) => server.stop())));

  it(`two authors, two approvers, an applier, an override and crashes, on two processes: ${numRuns} runs of ${
    groups * perGroup
  } commands (SEED=${seed} CHANGE_RUNS=${numRuns} repeats them)`, async () => {
    const property = fc.asyncProperty(fc.array(group, { minLength: groups, maxLength: groups }), async (all) => {
      const system = await ChangeSystem.build(servers);
      for (const steps of all) {
        await Promise.all(steps.map((one) => system.take(one)));
        await system.recover();
      }
      await system.expectSound();
      expect(system.counts.applied, JSON.stringify(system.counts)).to.be.greaterThan(0);
    });
    // A run has effects that the next one does not see; a smaller one says little more.
    await fc.assert(property, { seed, numRuns, endOnFailure: true });
  });
});
