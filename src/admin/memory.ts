import { getHeapStatistics } from 'node:v8';

/** Bytes. */
export interface ProcessMemory {
  readonly rss: number;
  readonly heapUsed: number;
  readonly external: number;
}

/**
 * Memory of this process; never throws. Node reads `rss` from a file: where no descriptor is free it throws
 * EMFILE, and the largest `rss` so far is given instead.
 */
export function processMemory(): ProcessMemory {
  const { used_heap_size: heapUsed, external_memory: external } = getHeapStatistics();
  return { rss: residentBytes(), heapUsed, external };
}

function residentBytes(): number {
  try {
    return process.memoryUsage.rss();
  } catch {
    return process.resourceUsage().maxRSS * 1024;
  }
}
