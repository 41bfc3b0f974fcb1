import { useState } from 'preact/hooks';

/** Something that somebody has done by a click. */
export interface Work {
  readonly busy: boolean;
  /** Why the last of it was refused; null where it was not. */
  readonly failure: unknown;
  /** Does it. @returns whether it was done */
  readonly run: (work: () => unknown) => Promise<boolean>;
  /** The failure has been read. */
  readonly dismiss: () => void;
}

/** Whether it is under way, and why it was refused. */
export function useWork(): Work {
  const [state, setState] = useState<Pick<Work, 'busy' | 'failure'>>({ busy: false, failure: null });
  return {
    ...state,
    dismiss: () => setState({ busy: false, failure: null }),
    async run(work) {
      setState({ busy: true, failure: null });
      try {
        await work();
        setState({ busy: false, failure: null });
        return true;
      } catch (failure) {
        setState({ busy: false, failure });
        return false;
      }
    },
  };
}
