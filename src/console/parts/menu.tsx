import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

/** Buttons that are seldom wanted, behind one. It closes by Escape, by a choice, and when the focus leaves it. */
export function Menu({ label, children }: { readonly label: string; readonly children: ComponentChildren }) {
  const element = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    const close = (event: Event): void => {
      if (event.target instanceof Node && element.current?.contains(event.target) === true) return;
      element.current?.removeAttribute('open');
    };
    addEventListener('pointerdown', close);
    addEventListener('focusin', close);
    return () => {
      removeEventListener('pointerdown', close);
      removeEventListener('focusin', close);
    };
  }, []);
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
