import { createContext, type ComponentChildren } from 'preact';
import { useContext, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { createCall } from '../api/client.js';
import { forgetToken, keepToken, keptToken, otherTabs, type Tabs } from '../api/keptSession.js';
import { createOperations, type Operations } from '../api/operations.js';
import type { Workspace } from '../api/types.js';
import { createFactMemory, type FactMemory } from '../facts/memory.js';
import { useRouter } from './address.js';
import { SignIn, SignInAgain } from './signIn.js';
import { whoOf, type Who } from './who.js';

export interface SignedIn {
  readonly api: Operations;
  readonly who: Who;
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
 * Holds the token, in memory; the browser keeps it for a reload and for other tabs, where no script can read it. Until there
 * is one, the sign-in is shown in place of the page; the address stays, so that the person comes to what they were sent.
 * When it has expired, the sign-in stands before the page, which keeps what was typed.
 */
export function SessionProvider({ children }: { readonly children: ComponentChildren }) {
  const { query, setQuery, leave } = useRouter();
  const [held, setHeld] = useState<Held | null>(null);
  const [expired, setExpired] = useState<string | null>(null);
  const [isResuming, setResuming] = useState(true);
  const [isEnded, setEnded] = useState(false);
  const tabs = useRef<Tabs | null>(null);

  const enter = async (token: string): Promise<void> => {
    const { all } = createOperations(createCall({ token, workspaceId: null }, () => undefined));
    const entered = await all('GET /logic/workspaces', {});
    // Who signs in again, before the same page, goes on with what was there.
    setHeld((before) => ({ token, workspaces: entered, facts: before?.facts ?? createFactMemory() }));
  };
  const signIn = async (token: string): Promise<void> => {
    await enter(token);
    await keepToken(token);
  };
  /** Another tab may have signed in again already. */
  const renew = async (token: string): Promise<void> => {
    const kept = await keptToken();
    if (kept === null || kept === token) setExpired(token);
    else await enter(kept).catch(() => setExpired(token));
  };
  const signOut = (): void =>
    leave(() => {
      setHeld(null);
      tabs.current?.tell();
      void forgetToken();
    });
  useEffect(() => {
    const resume = async (): Promise<void> => {
      const token = await keptToken();
      // What the browser kept may have expired.
      if (token !== null) await enter(token).catch(() => undefined);
      setResuming(false);
    };
    void resume();
    tabs.current = otherTabs(() => {
      setEnded(true);
      setHeld(null);
    });
    return () => tabs.current?.close();
  }, []);

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
    const who = whoOf(token);
    const call = createCall({ token, workspaceId: workspace.id }, () => void renew(token));
    return { api: createOperations(call, who.scopes), who, workspace, workspaces, facts, signOut };
  }, [held, workspace?.id]);

  if (held === null)
    return isResuming ? <main class="page" aria-busy="true" /> : <SignIn onToken={signIn} {...{ isEnded }} />;
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
      {expired === held.token && <SignInAgain onToken={signIn} />}
    </SessionContext.Provider>
  );
}

export function useSession(): SignedIn {
  const session = useContext(SessionContext);
  if (session === null) throw new Error('Nobody is signed in.');
  return session;
}

/**
 * Whether the token allows what needs a scope. Of tokens that do not say what they may do, such as those of people who came by
 * a provider, nothing is known here: the service answers.
 */
export function useMay(): (scope: string) => boolean {
  const { scopes } = useSession().who;
  return (scope) => scopes === null || scopes.has(scope);
}

/** What clients are called, by the names that entries have for them (`client:<id>`). */
export type ClientNames = ReadonlyMap<string, string>;

const none: ClientNames = new Map();

/** What was asked for last, for many lists show names; what it gave stands at once. */
const asked = new WeakMap<Operations, { readonly at: number; readonly names: Promise<ClientNames> }>();
const known = new WeakMap<Operations, ClientNames>();
/** Who is not among names as new as that has been removed, or may not be seen. */
const newMs = 5000;

async function namesWith(api: Operations, wanted: string | null): Promise<ClientNames> {
  const last = asked.get(api);
  const names = last && (await last.names);
  const isMissing = wanted?.startsWith('client:') === true && names !== none && names?.has(wanted) === false;
  const latest = asked.get(api);
  if (latest !== undefined && (!isMissing || performance.now() - latest.at < newMs)) return latest.names;
  const asking = api.all('GET /logic/principals', {}).then(
    (named) => new Map(named.map(({ principal, name }) => [principal, name])),
    () => none,
  );
  asked.set(api, { at: performance.now(), names: asking });
  const found = await asking;
  if (found !== none) known.set(api, found);
  return found;
}

/** The names of clients; none where the token may see nothing that names them. @param wanted who is to be among them */
export function usePrincipals(wanted: string | null = null): ClientNames {
  const { api } = useSession();
  const [names, setNames] = useState(known.get(api) ?? none);
  useEffect(() => void namesWith(api, wanted).then(setNames), [api, wanted]);
  return names;
}

interface MayProps {
  /** The scope. */
  readonly to: string;
  /** In its place where the token has not got it. */
  readonly otherwise?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** What a token may do only with a scope: nobody is offered what would be refused. */
export const May = ({ to, otherwise = null, children }: MayProps) => <>{useMay()(to) ? children : otherwise}</>;
