import { useEffect, useRef } from 'preact/hooks';
import { rootUrl } from '../api/client.js';
import { lazy } from '../parts/failure.js';
import { Button, Icon } from '../parts/small.js';
import { Link, RouterProvider, useRouter } from './address.js';
import { CurrentPage } from './pages.js';
import { SessionProvider, useMay, usePrincipals, useSession } from './session.js';

/** With the scope without which a page shows nothing: it is not offered to whoever has not got it. */
const sections = [
  ['/decisions', 'Decisions', 'decisions:read'],
  ['/deployments', 'Deployments', 'deployments:read'],
  ['/requests', 'Requests', 'change:read'],
  ['/executions', 'Executions', 'executions:read'],
  ['/replays', 'Replays', 'replay:read'],
  ['/audit', 'Audit', 'audit:read'],
  ['/oversight', 'Oversight', 'shadow:read'],
  ['/pool', 'Pool', 'pool:read'],
  ['/access', 'Access', 'clients:read'],
] as const;

// Nobody has it in sight before the page itself.
const ToReview = lazy(async () => (await import('../requests/toReview.js')).ToReview);

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
  const { who, workspace, workspaces, signOut } = useSession();
  const may = useMay();
  const nav = useRef<HTMLElement>(null);
  // An environment's page belongs to what is deployed there.
  const at = path === '/' ? '/decisions' : path.replace(/^\/environments\//, '/deployments/');
  // On a telephone the pages scroll.
  useEffect(
    () => nav.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' }),
    [path],
  );
  return (
    <header class="bar">
      <Link to="/decisions" class="brand">
        Verdict
      </Link>
      <nav aria-label="Pages" ref={nav}>
        {sections.map(([to, name, scope]) => {
          if (!may(scope)) return null;
          const isCurrent = at === to || at.startsWith(`${to}/`);
          return (
            <Link key={to} to={to} {...(isCurrent ? { 'aria-current': 'page' as const } : {})}>
              <Icon name={name} /> {name}
              {name === 'Requests' && who.scopes?.has('change:review') && <ToReview isNear={isCurrent} />}
            </Link>
          );
        })}
      </nav>
      <div class="bar-end">
        <a class="docs soft" href={`${rootUrl.href}docs/console`} target="_blank">
          Docs
        </a>
        {workspaces.length > 1 ? (
          <select
            aria-label="Workspace"
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
        ) : (
          <span class="soft">{workspace.name}</span>
        )}
        <SignedInAs />
        <Button name="Sign out" class="quiet" onClick={signOut} />
      </div>
    </header>
  );
}

function SignedInAs() {
  const { who } = useSession();
  return (
    <span class="soft who" title={who.principal}>
      <span class="visually-hidden">Signed in as </span>
      <bdi>{who.name ?? <ClientName principal={who.principal} />}</bdi>
    </span>
  );
}

function ClientName({ principal }: { readonly principal: string }) {
  return <>{usePrincipals().get(principal) ?? principal}</>;
}
