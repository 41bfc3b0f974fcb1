import { follow } from '../parts/follow.js';
import { keepLayout } from './layout.js';

const [minWidth, maxWidth, step] = [240, 900, 20];

interface SplitterProps {
  readonly width: number;
  readonly onWidth: (width: number) => void;
}

/** The edge of the panel, by which it is made wider; its width is kept. */
export function Splitter({ width, onWidth }: SplitterProps) {
  const resize = (to: number): void => {
    const next = Math.min(maxWidth, Math.max(minWidth, to));
    onWidth(next);
    keepLayout({ panelWidth: next });
  };
  return (
    <div
      class="splitter"
      role="separator"
      tabIndex={0}
      aria-label="Width of the panel"
      aria-orientation="vertical"
      aria-valuenow={width}
      aria-valuemin={minWidth}
      aria-valuemax={maxWidth}
      onKeyDown={({ key }) => {
        if (key === 'ArrowLeft') resize(width + step);
        if (key === 'ArrowRight') resize(width - step);
      }}
      onPointerDown={(down) => {
        down.preventDefault();
        follow(({ clientX }) => resize(width + down.clientX - clientX));
      }}
    />
  );
}
