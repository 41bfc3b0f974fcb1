import fc from 'fast-check';
import { commandOf, type Command } from './command.js';
import type { Model } from './model.js';
import type { System } from './system.js';

type Fault = 'kill' | 'freeze' | 'hole' | 'mute' | 'reset' | 'slow' | 'mend';

const breaking = {
  kill: ({ redis }: System) => redis.kill(),
  freeze: ({ redis }: System) => redis.freeze(),
  hole: ({ redis }: System) => redis.proxy.hole(),
  mute: ({ redis }: System) => redis.proxy.mute(),
} as const;
const states = { kill: 'killed', freeze: 'frozen', hole: 'unreachable', mute: 'unreachable' } as const;

/** Redis as it was before anything was done to it, with what it knew unless it was killed. */
export async function mend(model: Model, { redis }: System): Promise<void> {
  if (model.redis === 'frozen') redis.thaw();
  if (model.redis === 'killed') await redis.restart();
  if (model.redis === 'unreachable') redis.proxy.reset();
  redis.proxy.pass();
  model.redis = 'up';
}

async function fail(model: Model, system: System, { fault }: { fault: Fault }): Promise<void> {
  if (fault === 'mend') await mend(model, system);
  else if (fault === 'reset') system.redis.proxy.reset();
  else if (fault === 'slow') system.redis.proxy.pass(100);
  else {
    breaking[fault](system);
    model.redis = states[fault];
  }
}

const isUp = (fault: Fault): boolean => fault !== 'mend';

export const faultCommands: fc.Arbitrary<Command>[] = [
  commandOf(
    'redis',
    fc.record({
      fault: fc.constantFrom<Fault>('kill', 'freeze', 'hole', 'mute', 'reset', 'slow', 'mend', 'mend', 'mend'),
    }),
    fail,
    (model, { fault }) => isUp(fault) === (model.redis === 'up'),
  ),
];
