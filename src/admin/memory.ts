import { getHeapStatistics } from 'node:v8';

/** Bytes. */
export interface ProcessMemory {
  readonly rss: number;
  readonly heapUsed: number;
  readonly external: number;
}

/** Memory of this process. Node reads `rss` from a file: without a free descriptor the largest so far is given. */
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
