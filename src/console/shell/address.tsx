import { createContext, type ComponentChildren, type ComponentProps } from 'preact';
import { useContext, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
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
  /** Does what takes the page away, once whoever holds the page agrees. */
  readonly leave: (away: () => void) => void;
  /** Holds the page, or lets go of it (null). */
  readonly hold: (holder: Holder | null) => void;
}

/** Is asked before the page is left, and calls `away` where it may be. */
export type Holder = (away: () => void) => void;

const RouterContext = createContext<Router | null>(null);
const home = new URL('console', rootUrl).pathname;

/** The address of a page within the console, such as `/decisions?prefix=shop`. */
const addressOf = (to: string): string => home + to;

function readLocation(): Location {
  const { pathname, search } = window.location;
  return locationOf(pathname, search);
}

const locationOf = (pathname: string, search: string): Location => ({
  path: pathname.slice(home.length).replace(/\/$/, '') || '/',
  query: new URLSearchParams(search),
});

/** Another workspace draws the page anew, too. */
const isSamePage = (one: Location, other: Location): boolean =>
  one.path === other.path && one.query.get('workspace') === other.query.get('workspace');

/** What an entry of the browser's history keeps: its index, so that a step back or forward can be undone. */
interface EntryState {
  readonly at?: number;
}

const historyIndex = (): number | undefined => (history.state as EntryState | null)?.at;

export function RouterProvider({ children }: { readonly children: ComponentChildren }) {
  const [location, setLocation] = useState(readLocation);
  const holder = useRef<Holder | null>(null);
  const shown = useRef({ location, at: historyIndex() ?? 0 });
  const show = (next: Location, at: number): void => {
    shown.current = { location: next, at };
    setLocation(next);
  };
  const leave = (away: () => void): void => {
    const ask = holder.current;
    if (ask === null) {
      away();
      return;
    }
    ask(() => {
      holder.current = null;
      away();
    });
  };
  useLayoutEffect(() => {
    if (historyIndex() === undefined) history.replaceState({ at: 0 } satisfies EntryState, '');
    const follow = (): void => {
      const { location: before, at } = shown.current;
      const next = readLocation();
      // Entries that this page did not make (of a fragment, such as that of the skip link) come after the one before.
      const nextAt = historyIndex() ?? at + 1;
      if (holder.current === null || isSamePage(before, next)) {
        if (historyIndex() === undefined) history.replaceState({ at: nextAt } satisfies EntryState, '');
        show(next, nextAt);
        return;
      }
      // The step is made already: it is taken back, and made again where the page may be left.
      history.go(at - nextAt);
      leave(() => history.go(nextAt - at));
    };
    addEventListener('popstate', follow);
    return () => removeEventListener('popstate', follow);
  }, []);
  const router = useMemo((): Router => {
    const go = (to: string, replace = false): void => {
      const before = readLocation();
      const url = new URL(addressOf(to), window.location.href);
      const workspace = before.query.get('workspace');
      if (workspace !== null && !url.searchParams.has('workspace')) url.searchParams.set('workspace', workspace);
      const next = locationOf(url.pathname, url.search);
      const move = (): void => {
        const at = shown.current.at + (replace ? 0 : 1);
        history[replace ? 'replaceState' : 'pushState']({ at } satisfies EntryState, '', url);
        show(next, at);
        if (next.path !== before.path) scrollTo(0, 0);
      };
      if (isSamePage(before, next)) move();
      else leave(move);
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
    const hold = (next: Holder | null): void => {
      holder.current = next;
    };
    return { ...location, go, setQuery, leave, hold };
  }, [location]);
  return <RouterContext.Provider value={router}>{children}</RouterContext.Provider>;
}

export function useRouter(): Router {
  const router = useContext(RouterContext);
  if (router === null) throw new Error('There is no RouterProvider around this component.');
  return router;
}

interface LinkProps extends Omit<ComponentProps<'a'>, 'name' | 'href' | 'role' | 'onClick'> {
  /** Within the console, as in `addressOf`. */
  readonly to: string;
  /** What it says, where that is not written within it. */
  readonly name?: string;
}

/** A link within the console; with a modifier key it opens elsewhere, as links do. */
export function Link({ to, name, children = name, ...rest }: LinkProps) {
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
