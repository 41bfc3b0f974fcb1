import { once } from '../onDemand.js';
import { readGuest } from './guests.js';
import type { Guest } from './guests.js';
import { defaultSandboxLimits, longestRunMs } from './limits.js';
import { Machine } from './machine.js';
import { faultOfSource } from './parse.js';
import { Run } from './sandboxRun.js';
import type { Machines } from './sandboxRun.js';
import type { Sandbox, SandboxLimits } from './types.js';
import { createTypescript } from './typescript.js';
import { quickjsInstances } from './wasm.js';

/** Machines kept for the next run. A worker runs one decision at a time; more are needed only where runs overlap. */
const maxIdle = 2;

/**
 * The sandbox of one thread. Nothing is loaded before the first call of a function; from then on a machine stands
 * ready, and is replaced when a run was stopped in it, when it grew too large, or served its number of runs. `read`
 * gives the guest's code; where it rejects, so does the call, and the next one tries again.
 */
export function createSandbox(limits: SandboxLimits = defaultSandboxLimits, read = readGuest): Sandbox {
  const machines = machinePool(limits, read);
  return {
    open: (options) => {
      const deadline = Math.min(options.deadline, performance.now() + longestRunMs);
      return new Run(machines, { ...options, deadline }, limits);
    },
    faultOf: (script, isOver) => faultOfSource(machines, script, isOver),
  };
}

function machinePool(limits: SandboxLimits, read: () => Promise<Guest>): Machines {
  const instantiate = quickjsInstances(limits.memoryBytes);
  const idle: Machine[] = [];
  const guest = once(read);
  const acquire = async (): Promise<Machine> => {
    const ready = idle.pop();
    if (ready !== undefined) return ready;
    // Awaited together: a rejection without a handler would end the process.
    const [instance, source] = await Promise.all([instantiate(), guest()]);
    return new Machine(instance, source, limits);
  };
  const release = (machine: Machine): void => {
    if (machine.release(limits) && idle.length < maxIdle) idle.push(machine);
  };
  const typescript = createTypescript(async (use) => {
    const machine = await acquire();
    const { typescript: script } = await guest();
    try {
      return use(machine, script);
    } finally {
      release(machine);
    }
  });
  return { acquire, release, typescript };
}
