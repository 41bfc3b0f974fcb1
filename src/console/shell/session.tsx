import { createContext, type ComponentChildren } from 'preact';
import { useContext, useEffect, useMemo, useState } from 'preact/hooks';
import { createCall } from '../api/client.js';
import { createOperations, type Operations } from '../api/operations.js';
import type { Workspace } from '../api/types.js';
import { createFactMemory, type FactMemory } from '../facts/memory.js';
import { useRouter } from './router.js';
import { SignIn, SignInAgain } from './signIn.js';

export interface SignedIn {
  readonly api: Operations;
  readonly workspace: Workspace;
  readonly workspaces: readonly Workspace[];
  readonly signOut: () => void;
  /** Facts that were run, for as long as the person is signed in. */
  readonly facts: FactMemory;
}

const SessionContext = createContext<SignedIn | null>(null);

interface Held {
  readonly token: string;
  readonly workspaces: readonly Workspace[];
  readonly facts: FactMemory;
}

/**
 * Holds the token, in memory alone: leaving the page forgets it. Until there is one, the sign-in is shown in place of the
 * page; the address stays, so that the person comes to what they were sent. When it has expired, the sign-in stands before
 * the page, which keeps what was typed.
 */
export function SessionProvider({ children }: { readonly children: ComponentChildren }) {
  const { query, setQuery, leave } = useRouter();
  const [held, setHeld] = useState<Held | null>(null);
  const [expired, setExpired] = useState<string | null>(null);

  const enter = async (token: string): Promise<void> => {
    const { workspaces } = createOperations(createCall({ token, workspaceId: null }, () => undefined));
    const entered = await workspaces();
    // Who signs in again, before the same page, goes on with what was there.
    setHeld((before) => ({ token, workspaces: entered, facts: before?.facts ?? createFactMemory() }));
  };

  const named = query.get('workspace');
  const workspace = held?.workspaces.find(({ id }) => id === named) ?? held?.workspaces[0] ?? null;
  // Of several, the address names the one that is shown, so that it leads a colleague to the same.
  useEffect(() => {
    if (workspace !== null && (held?.workspaces.length ?? 0) > 1 && named !== workspace.id) {
      setQuery({ workspace: workspace.id }, true);
    }
  }, [workspace, held, named]);

  const session = useMemo((): SignedIn | null => {
    if (held === null || workspace === null) return null;
    const { token, workspaces, facts } = held;
    const api = createOperations(createCall({ token, workspaceId: workspace.id }, () => setExpired(token)));
    return { api, workspace, workspaces, facts, signOut: () => leave(() => setHeld(null)) };
  }, [held, workspace?.id]);

  if (held === null) return <SignIn onToken={enter} />;
  if (session === null) {
    return (
      <main class="page narrow">
        <p>
          You have no access to any workspace. An operator grants one: <code>verdict client grant</code>, or a policy.
        </p>
      </main>
    );
  }
  return (
    <SessionContext.Provider value={session}>
      {children}
      {expired === held.token && <SignInAgain onToken={enter} />}
    </SessionContext.Provider>
  );
}

export function useSession(): SignedIn {
  const session = useContext(SessionContext);
  if (session === null) throw new Error('Nobody is signed in.');
  return session;
}
