import type { ComponentChildren } from 'preact';
import { useRef, useEffect, useState } from 'preact/hooks';
import { useListener } from './useListener.js';

/** Buttons that are seldom wanted, behind one. It closes by Escape, by a choice, and when the focus leaves it. */
export function Menu({ label, children }: { readonly label: string; readonly children: ComponentChildren }) {
  const element = useRef<HTMLDetailsElement>(null);
  const close = ({ target }: Event): void => {
    if (target instanceof Node && element.current?.contains(target) === true) return;
    element.current?.removeAttribute('open');
  };
  useListener('pointerdown', close);
  useListener('focusin', close);
  return (
    <details
      ref={element}
      class="menu"
      onClick={({ target }) => {
        if (target instanceof Element && target.closest('button') !== null) element.current?.removeAttribute('open');
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || element.current?.open !== true) return;
        event.preventDefault();
        element.current.removeAttribute('open');
        element.current.querySelector('summary')?.focus();
      }}
    >
      <summary class="button">{label}</summary>
      <div class="menu-box">{children}</div>
    </details>
  );
}

/** As the style sheets have it. */
const narrow = matchMedia('(max-width: 60rem)');

/** Whether the page is so narrow that its panes stand over one another; a zoom of the browser makes it so, too. */
export function useNarrow(): boolean {
  const [isNarrow, setNarrow] = useState(narrow.matches);
  useEffect(() => {
    const follow = (): void => setNarrow(narrow.matches);
    follow();
    narrow.addEventListener('change', follow);
    return () => narrow.removeEventListener('change', follow);
  }, []);
  return isNarrow;
}

/** Buttons in their row, and behind one of them where a page is too narrow for all. */
export const Overflow = ({ label, children }: { readonly label: string; readonly children: ComponentChildren }) =>
  useNarrow() ? <Menu label={label}>{children}</Menu> : <>{children}</>;
