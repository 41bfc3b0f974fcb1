import { useEffect, useRef, useState } from 'preact/hooks';
import type { Model } from '../api/types.js';
import { newId } from '../editor/ids.js';
import { useListener } from '../parts/useListener.js';

/** What a tab says to the others. */
interface Said {
  readonly tab: string;
  /** It shows the draft; once it does not any more, it was closed or shows another page. */
  readonly isOpen: boolean;
  /** It has changes of the draft that are not saved. */
  readonly isChanging: boolean;
  /** It has just been opened, and does not know of the others yet. */
  readonly isNew: boolean;
}

interface Elsewhere {
  /** Another tab of this browser shows the same draft. */
  readonly isShared: boolean;
  /** Another one changes it. */
  readonly isElsewhere: boolean;
}

/**
 * Where else a draft is shown and changed. Each tab tells the others of its changes, and once it has none any more: they were saved or
 * taken back, or the tab shows another page or is closed.
 *
 * @param name of the draft
 */
export function useElsewhere(name: string, model: Model, isDirty: boolean): Elsewhere {
  /** Whether each of the others changes it. */
  const [others, setOthers] = useState<ReadonlyMap<string, boolean>>(new Map());
  const say = useRef((_said: Partial<Said>): void => undefined);
  const dirty = useRef(isDirty);
  dirty.current = isDirty;
  useEffect(() => {
    const channel = new BroadcastChannel(name);
    const tab = newId();
    say.current = (said) =>
      channel.postMessage({ tab, isOpen: true, isChanging: dirty.current, isNew: false, ...said } satisfies Said);
    channel.onmessage = ({ data }: MessageEvent<Said>) => {
      if (data.isNew) say.current({});
      setOthers((before) => {
        const next = new Map(before);
        if (data.isOpen) next.set(data.tab, data.isChanging);
        else next.delete(data.tab);
        return next;
      });
    };
    say.current({ isNew: true });
    return () => {
      say.current({ isOpen: false });
      channel.close();
    };
  }, [name]);
  useEffect(() => say.current({}), [model, isDirty]);
  useListener('pagehide', () => say.current({ isOpen: false }));
  return { isShared: others.size > 0, isElsewhere: [...others.values()].includes(true) };
}
