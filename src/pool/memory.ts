import { getHeapStatistics } from 'node:v8';
import type { PoolStatus } from './status.js';

/**
 * Memory of this process, bytes; never throws. The system tells `rss` by a file: where no descriptor is free
 * `process.memoryUsage` throws EMFILE, and here it is the largest that `rss` ever was.
 */
export function processMemory(): PoolStatus['memory'] {
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
