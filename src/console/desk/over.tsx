import { Button } from '../parts/small.js';
import type { ComponentChildren } from 'preact';

/** What has to be told at once. It lies over the page, below the line that it is in: nothing moves for it. */
export const Over = ({ children, onClose }: { readonly children: ComponentChildren; readonly onClose: () => void }) => (
  <div class="over">
    {children}
    <Button name="Hide" class="quiet" onClick={onClose} />
  </div>
);
