/** Wakes the one who sleeps; a ring that nobody waits for is heard by the next one who does. */
export interface Bell {
  readonly ring: () => void;
  /** Forgets a ring that was not heard yet. */
  readonly mute: () => void;
  /** Resolves at the next ring, or after `ms`. */
  readonly heard: (ms: number) => Promise<void>;
}

export function createBell(): Bell {
  let rung = false;
  let wake: (() => void) | undefined;
  return {
    ring() {
      rung = true;
      wake?.();
    },
    mute: () => void (rung = false),
    async heard(ms) {
      if (!rung) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms);
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
        wake = undefined;
      }
      rung = false;
    },
  };
}
