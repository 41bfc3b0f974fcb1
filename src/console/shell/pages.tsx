import type { ComponentChildren, ComponentType } from 'preact';
import { lazy } from '../parts/failure.js';
import { useRouter } from './address.js';

const author = () => import('./authorPages.js');
const operator = () => import('./operatorPages.js');
const record = () => import('./recordPages.js');
const request = () => import('./requestPages.js');

type Page = ComponentType<{ readonly id: string }>;

/** @param name what the page is called in its script */
const page = <Name extends string>(load: () => Promise<Readonly<Record<Name, Page>>>, name: Name): Page =>
  lazy(async () => (await load())[name], Waiting);

/** The address of each page, whose script is loaded when it is first shown; `:id` stands for one part. */
const pages: readonly (readonly [string, Page])[] = [
  ['/', page(author, 'DecisionsPage')],
  ['/decisions', page(author, 'DecisionsPage')],
  ['/decisions/:id', page(() => import('../model/modelPage.js'), 'ModelPage')],
  ['/decisions/:id/edit', page(() => import('../desk/deskPage.js'), 'DeskPage')],
  ['/decisions/:id/outcomes', page(() => import('../outcomes/outcomesPage.js'), 'OutcomesPage')],
  ['/decisions/:id/compare', page(author, 'ComparePage')],
  ['/deployments', page(operator, 'DeploymentsPage')],
  ['/environments/:id', page(operator, 'EnvironmentPage')],
  ['/requests', page(request, 'RequestsPage')],
  ['/requests/:id', page(request, 'RequestPage')],
  ['/executions', page(record, 'ExecutionsPage')],
  ['/executions/:id', page(record, 'ExecutionPage')],
  ['/replays', page(record, 'ReplaysPage')],
  ['/replays/:id', page(record, 'ReplayPage')],
  ['/shadows/:id', page(record, 'ShadowPage')],
  ['/audit', page(operator, 'AuditPage')],
  ['/oversight', page(operator, 'OversightPage')],
  ['/pool', page(() => import('../pool/poolPage.js'), 'PoolPage')],
  ['/access', page(operator, 'AccessPage')],
];

/** What every page stands in. */
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
    <Waiting>
      <h1>There is no such page</h1>
    </Waiting>
  );
}
