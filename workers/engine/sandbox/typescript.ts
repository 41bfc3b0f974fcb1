import { Recent } from '../../recent/index.js';
import type { Machine } from './machine.js';

/** Bound of the cache in UTF-16 units, TypeScript and JavaScript together. */
const cachedLength = 4 * 1024 * 1024;

/** Makes JavaScript of the TypeScript of function nodes, as zen core 2 does. */
export interface Typescript {
  /** What an earlier `strip` made of a source. */
  known(source: string): string | undefined;
  /** The JavaScript of a source; the source itself where it is no TypeScript. Undefined once `isOver`. */
  strip(source: string, isOver: () => boolean): Promise<string | undefined>;
}

/**
 * A source is stripped in a freshly reset machine, because the result is cached for every run with the same source, and
 * within the time of the run that asks, because authors decide how long the parser takes.
 */
export function createTypescript(
  withMachine: <T>(use: (machine: Machine, script: string) => T) => Promise<T>,
): Typescript {
  const made = new Recent<string>({ maxCount: 500, maxWeight: cachedLength });
  return {
    known: (source) => made.get(source),
    strip: (source, isOver) =>
      withMachine((machine, script) => {
        machine.reset({ isOver, ask: () => undefined });
        const javascript = machine.apply(script, source) ?? source;
        if (isOver()) return undefined;
        made.set(source, javascript, javascript.length + source.length + 1);
        return javascript;
      }),
  };
}
