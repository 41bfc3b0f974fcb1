import { LRUCache } from 'lru-cache';
import type { Machine } from './machine.js';

/** What stripped sources may take, as UTF-16 units of TypeScript and JavaScript together. */
const cachedLength = 4 * 1024 * 1024;

/** Makes JavaScript of the TypeScript of function nodes, as zen core 2 does. */
export interface Typescript {
  /** What an earlier `strip` made of a source. */
  known(source: string): string | undefined;
  /** The JavaScript of a source; the source itself where it is no TypeScript. Undefined once `isOver`. */
  strip(source: string, isOver: () => boolean): Promise<string | undefined>;
}

/**
 * A source is stripped in a machine in which nothing else has run, for what comes out serves every run that has the
 * same source; within the time of the run that asks, since the parser's work is the author's choice.
 */
export function createTypescript(
  withMachine: <T>(use: (machine: Machine, script: string) => T) => Promise<T>,
): Typescript {
  const made = new LRUCache<string, string>({
    max: 500,
    maxSize: cachedLength,
    sizeCalculation: (javascript, source) => javascript.length + source.length + 1,
  });
  return {
    known: (source) => made.get(source),
    strip: (source, isOver) =>
      withMachine((machine, script) => {
        machine.reset({ isOver, ask: () => undefined });
        const javascript = machine.apply(script, source) ?? source;
        if (isOver()) return undefined;
        made.set(source, javascript);
        return javascript;
      }),
  };
}
