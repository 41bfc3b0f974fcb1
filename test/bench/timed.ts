import type { Writable } from 'node:stream';
import { openProgress } from '../../src/cli/progress.js';
import type { Course } from './sweep.js';

/** What is drawn or written of a work of many steps that has said how long it takes. */
export interface Timed extends Course {
  advance(): void;
  end(): void;
}

/** Lines where there is no terminal to draw a bar on. */
const lines = 10;

/** @param budgetMs the time that was said. @param now milliseconds of a clock that never goes back */
export function openTimed(
  stream: Writable & { readonly isTTY?: boolean },
  { label, steps, budgetMs }: { readonly label: string; readonly steps: number; readonly budgetMs: number },
  now = () => performance.now(),
): Timed {
  const bar = openProgress(stream, label, steps);
  const begun = now();
  let done = 0;
  const advance = (by: number): void => {
    const before = Math.floor((done / steps) * lines);
    done += by;
    bar.advance(by);
    if (stream.isTTY === true || Math.floor((done / steps) * lines) === before) return;
    stream.write(
      `${label} ${done}/${steps}, ${Math.round((now() - begun) / 1000)} s of ${Math.round(budgetMs / 1000)}\n`,
    );
  };
  return {
    advance: () => advance(1),
    skipped: advance,
    isLate: () => now() - begun > (budgetMs * done) / steps,
    end: () => bar.end(),
  };
}
