import { Button } from '../../parts/small.js';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { useListener } from '../../parts/useListener.js';

/** What a menu offers, a line between groups. */
interface MenuEntry {
  readonly name: string;
  readonly group: string;
  readonly isOff?: boolean;
  readonly run: () => void;
}

interface ContextMenuProps {
  readonly at: { readonly x: number; readonly y: number };
  readonly entries: readonly MenuEntry[];
  readonly onClose: () => void;
}

/** A menu where somebody pressed the right button, or the key for it. Arrows lead through it, Escape closes it. */
export function ContextMenu({ at, entries, onClose }: ContextMenuProps) {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return;
    // Wholly in sight, wherever it was asked for.
    const { width, height } = element.getBoundingClientRect();
    element.style.left = `${Math.max(4, Math.min(at.x, innerWidth - width - 4))}px`;
    element.style.top = `${Math.max(4, Math.min(at.y, innerHeight - height - 4))}px`;
    element.querySelector<HTMLElement>('[role="menuitem"]')?.focus();
  }, []);
  useListener('pointerdown', ({ target }) => {
    if (!(target instanceof Node && box.current?.contains(target) === true)) onClose();
  });
  const move = (event: KeyboardEvent): void => {
    const items = [...(box.current?.querySelectorAll<HTMLElement>('[role="menuitem"]') ?? [])];
    const from = items.findIndex((item) => item === document.activeElement);
    const to = { ArrowDown: from + 1, ArrowUp: from - 1, Home: 0, End: -1 }[event.key];
    if (event.key === 'Escape' || event.key === 'Tab') onClose();
    else if (to === undefined) return;
    else items.at(to % items.length)?.focus();
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div ref={box} class="menu-box at-pointer" role="menu" aria-label="Cells" onKeyDown={move}>
      {entries.map(({ name, group, isOff = false, run }, index) => (
        <Button
          name={name}
          key={name}
          role="menuitem"
          class={`quiet${index > 0 && entries[index - 1]?.group !== group ? ' apart' : ''}`}
          aria-disabled={isOff}
          tabIndex={index === 0 ? 0 : -1}
          onClick={() => {
            if (isOff) return;
            onClose();
            run();
          }}
        />
      ))}
    </div>
  );
}
