import type { SandboxLimits } from './types.js';

/**
 * Memory is not bounded by QuickJS's own limit: it counts no small allocations, and where it refuses one the guest goes
 * on, which is not safe (see wasmGuard.ts).
 */
export const defaultSandboxLimits: SandboxLimits = Object.freeze({
  memoryBytes: 48 * 1024 * 1024,
  stackBytes: 256 * 1024,
  inputLength: 8 * 1024 * 1024,
  outputLength: 4 * 1024 * 1024,
  outputDepth: 200,
  logLength: 256 * 1024,
  logEntries: 1000,
  hostCalls: 10_000,
  httpCalls: 50,
  httpBytes: 1024 * 1024,
  runsPerInstance: 10_000,
});

/** What the WebAssembly build asks for at the least: 16 MB. */
export const initialWasmPages = 256;
/** An instance whose memory grew past this is dropped after the run, for memory never shrinks. */
export const discardAboveBytes = 32 * 1024 * 1024;
/** Stack for taking types out of TypeScript. */
export const parserStackBytes = 768 * 1024;
/** Most milliseconds of a run of function nodes, whatever its deadline: timers do not take Infinity. */
export const longestRunMs = 600_000;
