import type { ComponentChildren, ComponentType } from 'preact';
import { lazy } from '../parts/failure.js';
import { PageFrame } from '../parts/small.js';
import { Link, useRouter } from './address.js';

const author = () => import('./authorPages.js');
const operator = () => import('./operatorPages.js');
const record = () => import('./recordPages.js');
const request = () => import('./requestPages.js');

type Page = ComponentType<{ readonly id: string }>;

const page = (load: () => Promise<Page>): Page => lazy(load, Waiting);

/** The address of each page, whose script is loaded when it is first shown; `:id` stands for one part. */
const pages: readonly (readonly [string, Page])[] = [
  ['/', page(async () => (await author()).DecisionsPage)],
  ['/decisions', page(async () => (await author()).DecisionsPage)],
  ['/decisions/:id', page(async () => (await import('../model/modelPage.js')).ModelPage)],
  ['/decisions/:id/edit', page(async () => (await import('../desk/deskPage.js')).DeskPage)],
  ['/decisions/:id/outcomes', page(async () => (await import('../outcomes/outcomesPage.js')).OutcomesPage)],
  ['/decisions/:id/compare', page(async () => (await author()).ComparePage)],
  ['/deployments', page(async () => (await operator()).DeploymentsPage)],
  ['/environments/:id', page(async () => (await operator()).EnvironmentPage)],
  ['/requests', page(async () => (await request()).RequestsPage)],
  ['/requests/:id', page(async () => (await request()).RequestPage)],
  ['/executions', page(async () => (await record()).ExecutionsPage)],
  ['/executions/:id', page(async () => (await record()).ExecutionPage)],
  ['/replays', page(async () => (await record()).ReplaysPage)],
  ['/replays/:id', page(async () => (await record()).ReplayPage)],
  ['/shadows/:id', page(async () => (await record()).ShadowPage)],
  ['/audit', page(async () => (await operator()).AuditPage)],
  ['/oversight', page(async () => (await operator()).OversightPage)],
  ['/pool', page(async () => (await import('../pool/poolPage.js')).PoolPage)],
  ['/access', page(async () => (await operator()).AccessPage)],
];

function Waiting({ children }: { readonly children?: ComponentChildren }) {
  return (
    <main class="page" id="main">
      {children}
    </main>
  );
}

/** The page at the present address. */
export function CurrentPage() {
  const { path } = useRouter();
  const parts = path.split('/');
  for (const [pattern, Page] of pages) {
    const wanted = pattern.split('/');
    const fits = wanted.length === parts.length && wanted.every((part, at) => part === ':id' || part === parts[at]);
    const id = parts[wanted.indexOf(':id')] ?? '';
    if (fits) return <Page key={`${pattern} ${id}`} id={id} />;
  }
  return (
    <PageFrame title="There is no such page">
      <p>
        Nothing stands at this address. <Link to="/decisions">Decisions</Link> is where the others begin.
      </p>
    </PageFrame>
  );
}
