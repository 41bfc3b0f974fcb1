import { useEffect, useRef, useState } from 'preact/hooks';
import { requestToken } from '../api/token.js';
import { Failure } from '../parts/failure.js';
import { readProvider, type Provider } from './provider.js';

interface SignInProps {
  /** Rejects where the token leads nowhere. */
  readonly onToken: (token: string) => Promise<void>;
}

export const SignIn = (props: SignInProps) => (
  <main class="page sign-in">
    <h1>Verdict</h1>
    <SignInForm {...props} />
  </main>
);

/** Before a page whose token has expired. Escape does not lead past it. */
export function SignInAgain(props: SignInProps) {
  const element = useRef<HTMLDialogElement>(null);
  const open = (): void => element.current?.showModal();
  useEffect(open, []);
  return (
    <dialog ref={element} aria-label="Sign in again" class="stack" onClose={open}>
      <h2>Sign in again</h2>
      <p role="status">Your session has ended. What you typed is still here.</p>
      <SignInForm {...props} />
    </dialog>
  );
}

function SignInForm({ onToken }: SignInProps) {
  const [clientId, setClientId] = useState('');
  const [secret, setSecret] = useState('');
  const [failure, setFailure] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);

  const provider = readProvider();
  useEffect(() => {
    if (provider === null) return;
    import('./oidc.js')
      .then(({ returnFromProvider }) => returnFromProvider(provider))
      .then((token) => (token === undefined ? undefined : onToken(token)))
      .catch(setFailure);
  }, []);

  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    setFailure(null);
    try {
      await onToken(await requestToken(clientId.trim(), secret.trim()));
    } catch (error) {
      setFailure(error);
    } finally {
      setBusy(false);
    }
  };

  return (
    <>
      <form class="stack" onSubmit={(event) => void submit(event)}>
        <label>
          Client id
          <input
            value={clientId}
            onInput={(event) => setClientId(event.currentTarget.value)}
            autocomplete="username"
            spellcheck={false}
            required
            autofocus
          />
        </label>
        <label>
          Client secret
          <input
            type="password"
            value={secret}
            onInput={(event) => setSecret(event.currentTarget.value)}
            autocomplete="current-password"
            required
          />
        </label>
        {failure !== null && <Failure error={failure} />}
        <button class="primary" disabled={busy}>
          Sign in
        </button>
      </form>
      {provider !== null && (
        <button type="button" onClick={() => void leave(provider).catch(setFailure)}>
          Continue with {new URL(provider.issuer).host}
        </button>
      )}
      <p class="soft">
        The operator made both (<code>verdict client create</code>). They go to this service alone, and the page forgets
        them at once. Signing out ends the session in all tabs.
      </p>
    </>
  );
}

/** Loaded where a provider is named, and not before. */
const leave = async (provider: Provider): Promise<void> => (await import('./oidc.js')).leaveForProvider(provider);
