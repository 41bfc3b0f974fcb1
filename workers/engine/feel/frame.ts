import type { Run } from './feelRun.js';
import type { Feel } from './values/value.js';

/** The values of one scope while it runs. Functions keep the frame that they were made in. */
export class Frame {
  readonly run: Run;
  readonly parent: Frame | null;
  /** By the index that the scope gave each name. */
  readonly values: Feel[];

  constructor(run: Run, parent: Frame | null, values: Feel[]) {
    this.run = run;
    this.parent = parent;
    this.values = values;
  }

  /** The frame so many scopes up. */
  up(levels: number): Frame {
    if (levels === 0) return this;
    if (this.parent === null) throw new Error('there is no such scope');
    return this.parent.up(levels - 1);
  }
}

/** A compiled expression. */
export type Code = (frame: Frame) => Feel;
