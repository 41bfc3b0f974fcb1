import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Failure } from '../parts/failure.js';
import { loadPart } from '../parts/loadPart.js';

type Page = ComponentType<{ readonly id: string }>;

/** Loads a page's script. */
export type LazyLoad = () => Promise<Page>;

const known = new WeakMap<LazyLoad, Page>();

interface LazyPageProps {
  readonly load: LazyLoad;
  readonly id: string;
  /** It is a part of a page that is there already. */
  readonly isPart?: boolean;
}

/** A page whose script is loaded when it is first shown. */
export function LazyPage({ load, id, isPart = false }: LazyPageProps) {
  const [page, setPage] = useState<{ readonly Page: Page } | null>(() => {
    const Page = known.get(load);
    return Page === undefined ? null : { Page };
  });
  const [failure, setFailure] = useState<unknown>(null);
  useEffect(() => {
    if (page !== null) return;
    loadPart(load()).then((Page) => {
      known.set(load, Page);
      setPage({ Page });
    }, setFailure);
  }, []);
  if (page !== null) return <page.Page id={id} />;
  const told =
    failure === null ? (
      <p class="soft" aria-busy="true">
        Loading …
      </p>
    ) : (
      <Failure error={failure} />
    );
  return isPart ? (
    told
  ) : (
    <main class="page" id="main">
      {told}
    </main>
  );
}
