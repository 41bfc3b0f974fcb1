/** The package has no types of its own. */
declare module '@gorules/lezer-zen' {
  import type { LRParser } from '@lezer/lr';
  export const parser: LRParser;
}
