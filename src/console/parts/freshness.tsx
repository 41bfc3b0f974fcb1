import { useEffect } from 'preact/hooks';

const everyMs = 60_000;

interface FreshnessProps {
  /** When it was loaded, in milliseconds; null before it was. */
  readonly at: number | null;
  readonly reload: () => void;
  /** Not where more than its first page was loaded, which would be lost. */
  readonly renews?: boolean;
}

/** How old a list is. While somebody looks at it, it is renewed each minute. */
export function Freshness({ at, reload, renews = true }: FreshnessProps) {
  useEffect(() => {
    if (!renews) return;
    const timer = setTimeout(() => {
      if (!document.hidden) reload();
    }, everyMs);
    const look = (): void => {
      if (!document.hidden && at !== null && Date.now() - at > everyMs) reload();
    };
    document.addEventListener('visibilitychange', look);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', look);
    };
  }, [at, reload, renews]);
  if (at === null) return null;
  return (
    <p class="soft small freshness">
      As of <time dateTime={new Date(at).toISOString()}>{new Date(at).toLocaleTimeString()}</time>
    </p>
  );
}
