import { createContext, type ComponentChildren } from 'preact';
import { useContext, useEffect, useMemo, useState } from 'preact/hooks';
import { ApiError, createCall } from '../api/client.js';
import { createOperations, type Operations } from '../api/operations.js';
import type { Workspace } from '../api/types.js';
import { Failure } from '../parts/failure.js';
import { useRouter } from './router.js';
import { SignIn } from './signIn.js';

export interface SignedIn {
  readonly api: Operations;
  readonly workspace: Workspace;
  readonly workspaces: readonly Workspace[];
  readonly signOut: () => void;
}

const SessionContext = createContext<SignedIn | null>(null);

/**
 * Holds the token, in memory alone: leaving the page forgets it. Until there is one, the sign-in is shown in place of the
 * page; the address stays, so that the person comes to what they were sent.
 */
export function SessionProvider({ children }: { readonly children: ComponentChildren }) {
  const { query, setQuery } = useRouter();
  const [token, setToken] = useState<string | null>(null);
  const [expired, setExpired] = useState(false);
  const [workspaces, setWorkspaces] = useState<readonly Workspace[] | null>(null);
  const [failure, setFailure] = useState<unknown>(null);

  const forget = (because: 'expired' | 'left'): void => {
    setToken(null);
    setWorkspaces(null);
    setExpired(because === 'expired');
  };

  useEffect(() => {
    if (token === null) return;
    const controller = new AbortController();
    setFailure(null);
    createOperations(createCall({ token, workspaceId: null }, () => forget('expired')))
      .workspaces(controller.signal)
      .then(setWorkspaces, (error: unknown) => {
        if (error instanceof ApiError) setFailure(error);
      });
    return () => controller.abort();
  }, [token]);

  const named = query.get('workspace');
  const workspace = workspaces?.find(({ id }) => id === named) ?? workspaces?.[0] ?? null;
  // Of several, the address names the one that is shown, so that it leads a colleague to the same.
  useEffect(() => {
    if (workspace !== null && (workspaces?.length ?? 0) > 1 && named !== workspace.id) {
      setQuery({ workspace: workspace.id }, true);
    }
  }, [workspace, workspaces, named]);

  const session = useMemo((): SignedIn | null => {
    if (token === null || workspaces === null || workspace === null) return null;
    const api = createOperations(createCall({ token, workspaceId: workspace.id }, () => forget('expired')));
    return { api, workspace, workspaces, signOut: () => forget('left') };
  }, [token, workspace?.id, workspaces]);

  if (token === null) return <SignIn expired={expired} onToken={setToken} />;
  if (failure !== null)
    return (
      <main class="page narrow">
        <Failure error={failure} />
      </main>
    );
  if (workspaces === null) return null;
  if (session === null) {
    return (
      <main class="page narrow">
        <p>
          You have no access to any workspace. An operator grants one: <code>verdict client grant</code>, or a policy.
        </p>
      </main>
    );
  }
  return <SessionContext.Provider value={session}>{children}</SessionContext.Provider>;
}

export function useSession(): SignedIn {
  const session = useContext(SessionContext);
  if (session === null) throw new Error('Nobody is signed in.');
  return session;
}
