import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { Button } from '../parts/small.js';
import { useListener } from '../parts/useListener.js';

interface OverProps {
  readonly children: ComponentChildren;
  readonly onClose: () => void;
  /** Nobody has to do anything about it: it goes by itself, and with the next click. */
  readonly isBrief?: boolean;
}

const briefMs = 10_000;

/** What has to be told at once. It lies over the page, below the line that it is in: nothing moves for it. */
export function Over({ children, onClose, isBrief = false }: OverProps) {
  useEffect(() => {
    if (!isBrief) return;
    const timer = setTimeout(onClose, briefMs);
    return () => clearTimeout(timer);
  }, [isBrief]);
  useListener('pointerdown', () => isBrief && onClose());
  return (
    <div class="over">
      {children}
      <Button name="Hide" class="quiet" onClick={onClose} />
    </div>
  );
}
