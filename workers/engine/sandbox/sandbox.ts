import { readGuest } from './guests.js';
import type { Guest } from './guests.js';
import { defaultSandboxLimits, longestRunMs } from './limits.js';
import { Machine } from './machine.js';
import { Run } from './run.js';
import type { Machines } from './run.js';
import type { Sandbox, SandboxLimits } from './types.js';
import { quickjsInstances } from './wasm.js';

/** Machines kept for the next run. A worker runs one decision at a time; more are needed only where runs overlap. */
const maxIdle = 2;

/**
 * The sandbox of one thread. Nothing is loaded before the first call of a function; from then on a machine stands
 * ready, and is replaced when it broke, ran out of memory, grew too large, or served its number of runs.
 */
export function createSandbox(limits: SandboxLimits = defaultSandboxLimits): Sandbox {
  const machines = machinePool(limits);
  return {
    open: (options) => {
      const deadline = Math.min(options.deadline, performance.now() + longestRunMs);
      return new Run(machines, { ...options, deadline }, limits);
    },
  };
}

function machinePool(limits: SandboxLimits): Machines {
  const instantiate = quickjsInstances();
  const idle: Machine[] = [];
  let guest: Promise<Guest> | undefined;
  return {
    async acquire() {
      const ready = idle.pop();
      if (ready !== undefined) return ready;
      guest ??= readGuest();
      return new Machine(await instantiate(), await guest, limits);
    },
    release(machine) {
      if (machine.release(limits) && idle.length < maxIdle) idle.push(machine);
    },
  };
}
