import type { ComponentChildren } from 'preact';

interface OverProps {
  readonly children: ComponentChildren;
  readonly onClose: () => void;
}

/** What has to be told at once. It lies over the page, below the line that it is in: nothing moves for it. */
export const Over = ({ children, onClose }: OverProps) => (
  <div class="over">
    {children}
    <button type="button" class="quiet" onClick={onClose}>
      Put away
    </button>
  </div>
);
