import { useEffect, useRef, useState } from 'preact/hooks';
import type { Model } from '../api/types.js';
import { newId } from '../editor/ids.js';
import { useListener } from '../parts/useListener.js';

/** What a tab says to the others. */
interface Said {
  readonly tab: string;
  /** It has changes of the draft that are not saved. */
  readonly isChanging: boolean;
}

/**
 * Whether another tab of this browser changes the same draft. Each tab tells the others of its changes, and once it has none any
 * more: they were saved or taken back, or the tab shows another page or is closed.
 *
 * @param name of the draft
 */
export function useElsewhere(name: string, model: Model, isDirty: boolean): boolean {
  const [others, setOthers] = useState<ReadonlySet<string>>(new Set());
  const say = useRef((_isChanging: boolean): void => undefined);
  useEffect(() => {
    const channel = new BroadcastChannel(name);
    const tab = newId();
    say.current = (isChanging) => channel.postMessage({ tab, isChanging } satisfies Said);
    channel.onmessage = ({ data }: MessageEvent<Said>) =>
      setOthers((before) => {
        const next = new Set(before);
        if (data.isChanging) next.add(data.tab);
        else next.delete(data.tab);
        return next;
      });
    return () => {
      say.current(false);
      channel.close();
    };
  }, [name]);
  useEffect(() => say.current(isDirty), [model, isDirty]);
  useListener('pagehide', () => say.current(false));
  return others.size > 0;
}
