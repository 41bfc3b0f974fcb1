/** Wakes the one waiter; a signal that nobody waits for is kept for the next wait. */
export interface WakeSignal {
  readonly raise: () => void;
  /** Forgets a signal that nobody has waited for yet. */
  readonly clear: () => void;
  /** Resolves at the next signal, or after `ms`. */
  readonly wait: (ms: number) => Promise<void>;
}

export function createWakeSignal(): WakeSignal {
  let raised = false;
  let wake: (() => void) | undefined;
  return {
    raise() {
      raised = true;
      wake?.();
    },
    clear: () => void (raised = false),
    async wait(ms) {
      if (!raised) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms);
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
        wake = undefined;
      }
      raised = false;
    },
  };
}
