import type { Run } from './run.js';
import type { Feel } from './values/value.js';

/** The values of one scope while it runs. Functions keep the frame that they were made in. */
export class Frame {
  constructor(
    readonly run: Run,
    readonly parent: Frame | null,
    /** By the index that the scope gave each name. */
    readonly values: Feel[],
  ) {}

  /** The frame so many scopes up. */
  up(levels: number): Frame {
    let frame: Frame | null = this;
    for (let level = 0; level < levels && frame !== null; level++) frame = frame.parent;
    if (frame === null) throw new Error('there is no such scope');
    return frame;
  }
}

/** A compiled expression. */
export type Code = (frame: Frame) => Feel;
