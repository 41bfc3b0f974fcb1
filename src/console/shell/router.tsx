import { createContext, type ComponentChildren } from 'preact';
import { useContext, useEffect, useMemo, useState } from 'preact/hooks';
import { rootUrl, type Query } from '../api/client.js';

/** Where the person is: all that a page shows follows from it, so that an address can be sent to a colleague. */
export interface Location {
  /** Below `/console`: `/decisions/…`. */
  readonly path: string;
  readonly query: URLSearchParams;
}

export interface Router extends Location {
  /** Goes to another page. @param replace without an entry in the browser's history */
  readonly go: (to: string, replace?: boolean) => void;
  /** The same page with these parts of the query changed; undefined takes one away. */
  readonly setQuery: (changes: Query, replace?: boolean) => void;
}

const RouterContext = createContext<Router | null>(null);
const home = new URL('console', rootUrl).pathname;

/** The address of a page within the console, such as `/decisions?prefix=shop`. */
export const addressOf = (to: string): string => home + to;

function readLocation(): Location {
  const { pathname, search } = window.location;
  return { path: pathname.slice(home.length).replace(/\/$/, '') || '/', query: new URLSearchParams(search) };
}

export function RouterProvider({ children }: { readonly children: ComponentChildren }) {
  const [location, setLocation] = useState(readLocation);
  useEffect(() => {
    const follow = (): void => setLocation(readLocation());
    addEventListener('popstate', follow);
    return () => removeEventListener('popstate', follow);
  }, []);
  const router = useMemo((): Router => {
    const go = (to: string, replace = false): void => {
      const before = readLocation();
      const url = new URL(addressOf(to), window.location.href);
      const workspace = before.query.get('workspace');
      if (workspace !== null && !url.searchParams.has('workspace')) url.searchParams.set('workspace', workspace);
      history[replace ? 'replaceState' : 'pushState'](null, '', url);
      const after = readLocation();
      setLocation(after);
      if (after.path !== before.path) scrollTo(0, 0);
    };
    const setQuery = (changes: Query, replace = false): void => {
      const { path, query } = readLocation();
      for (const [name, value] of Object.entries(changes)) {
        if (value === undefined || value === null || value === '') query.delete(name);
        else query.set(name, String(value));
      }
      const text = query.toString();
      go(path + (text === '' ? '' : `?${text}`), replace);
    };
    return { ...location, go, setQuery };
  }, [location]);
  return <RouterContext.Provider value={router}>{children}</RouterContext.Provider>;
}

export function useRouter(): Router {
  const router = useContext(RouterContext);
  if (router === null) throw new Error('There is no RouterProvider around this component.');
  return router;
}

interface LinkProps {
  /** Within the console, as in `addressOf`. */
  readonly to: string;
  readonly children: ComponentChildren;
  readonly class?: string;
  readonly title?: string;
  readonly 'aria-current'?: 'page';
  readonly 'aria-label'?: string;
}

/** A link within the console; with a modifier key it opens elsewhere, as links do. */
export function Link({ to, children, ...rest }: LinkProps) {
  const { go } = useRouter();
  const follow = (event: MouseEvent): void => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    go(to);
  };
  return (
    <a href={addressOf(to)} onClick={follow} {...rest}>
      {children}
    </a>
  );
}
