import { AccessPage } from '../access/accessPage.js';
import { ComparePage } from '../compare/comparePage.js';
import { DecisionsPage } from '../decisions/decisionsPage.js';
import { DeploymentsPage } from '../deployments/deploymentsPage.js';
import { DeskPage } from '../desk/deskPage.js';
import { ExecutionPage } from '../executions/executionPage.js';
import { ExecutionsPage } from '../executions/executionsPage.js';
import { ModelPage } from '../model/modelPage.js';
import { PoolPage } from '../pool/poolPage.js';
import { ReplayPage } from '../replays/replayPage.js';
import { ReplaysPage } from '../replays/replaysPage.js';
import { Link, RouterProvider, useRouter } from './router.js';
import { SessionProvider, useSession } from './session.js';

/** The address of each page; `:id` stands for one part. */
const pages = [
  ['/', () => <DecisionsPage />],
  ['/decisions', () => <DecisionsPage />],
  ['/decisions/:id', (id) => <ModelPage key={id} id={id} />],
  ['/decisions/:id/edit', (id) => <DeskPage key={id} id={id} />],
  ['/decisions/:id/compare', (id) => <ComparePage key={id} id={id} />],
  ['/deployments', () => <DeploymentsPage />],
  ['/executions', () => <ExecutionsPage />],
  ['/executions/:id', (id) => <ExecutionPage key={id} id={id} />],
  ['/replays', () => <ReplaysPage />],
  ['/replays/:id', (id) => <ReplayPage key={id} id={id} />],
  ['/pool', () => <PoolPage />],
  ['/access', () => <AccessPage />],
] as const satisfies readonly (readonly [string, (id: string) => preact.JSX.Element])[];

const sections = [
  ['/decisions', 'Decisions'],
  ['/deployments', 'Deployments'],
  ['/executions', 'Executions'],
  ['/replays', 'Replays'],
  ['/pool', 'Pool'],
  ['/access', 'Access'],
] as const;

export const App = () => (
  <RouterProvider>
    <SessionProvider>
      <Frame />
    </SessionProvider>
  </RouterProvider>
);

function Frame() {
  const { workspace } = useSession();
  return (
    <>
      <a class="skip" href="#main">
        Skip to the page
      </a>
      <TopBar />
      <CurrentPage key={workspace.id} />
    </>
  );
}

function TopBar() {
  const { path, setQuery } = useRouter();
  const { workspace, workspaces, signOut } = useSession();
  return (
    <header class="bar">
      <Link to="/decisions" class="brand">
        Verdict
      </Link>
      <nav aria-label="Pages">
        {sections.map(([to, name]) => {
          const isCurrent = path === to || path.startsWith(`${to}/`) || (path === '/' && to === '/decisions');
          return (
            <Link key={to} to={to} {...(isCurrent ? { 'aria-current': 'page' as const } : {})}>
              {name}
            </Link>
          );
        })}
      </nav>
      <div class="bar-end">
        {workspaces.length > 1 ? (
          <label>
            <span class="visually-hidden">Workspace</span>
            <select
              value={workspace.id}
              onChange={({ currentTarget }) => {
                const chosen = currentTarget.value;
                // It says what is shown: who is asked may stay.
                currentTarget.value = workspace.id;
                setQuery({ workspace: chosen });
              }}
            >
              {workspaces.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </select>
          </label>
        ) : (
          <span class="soft">{workspace.name}</span>
        )}
        <button type="button" class="quiet" onClick={signOut}>
          Sign out
        </button>
      </div>
    </header>
  );
}

function CurrentPage() {
  const { path } = useRouter();
  const parts = path.split('/');
  for (const [pattern, page] of pages) {
    const wanted = pattern.split('/');
    const fits = wanted.length === parts.length && wanted.every((part, at) => part === ':id' || part === parts[at]);
    if (fits) return page(parts[wanted.indexOf(':id')] ?? '');
  }
  return (
    <main class="page" id="main">
      <h1>There is no such page</h1>
    </main>
  );
}
