import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Menu } from './menu.js';

/** As the style sheets have it. */
const narrow = matchMedia('(max-width: 60rem)');

/** Buttons in their row, and behind one of them where a page is too narrow for all. */
export function Overflow({ label, children }: { readonly label: string; readonly children: ComponentChildren }) {
  const [isNarrow, setNarrow] = useState(narrow.matches);
  useEffect(() => {
    const follow = (): void => setNarrow(narrow.matches);
    follow();
    narrow.addEventListener('change', follow);
    return () => narrow.removeEventListener('change', follow);
  }, []);
  return isNarrow ? <Menu label={label}>{children}</Menu> : <>{children}</>;
}
