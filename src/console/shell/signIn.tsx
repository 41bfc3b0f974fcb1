import { useEffect, useRef, useState } from 'preact/hooks';
import { requestToken } from '../api/token.js';
import { sent, TextField } from '../parts/entries.js';
import { Failure } from '../parts/failure.js';
import { Button } from '../parts/small.js';
import { useWork } from '../parts/useWork.js';
import { hasDrafts } from '../parts/kept.js';
import { readProvider, type Provider } from './provider.js';

interface SignInProps {
  /** Rejects where the token leads nowhere. */
  readonly onToken: (token: string) => Promise<void>;
}

/** @param isEnded another tab has ended the session: what stood here unsaved is not seen, and would be missed */
export const SignIn = ({ onToken, isEnded }: SignInProps & { readonly isEnded: boolean }) => (
  <main class="page sign-in">
    <h1>Verdict</h1>
    {isEnded && (
      <p role="status">
        You signed out in another tab.
        {hasDrafts() && ' Unsaved changes are here again once you sign in.'}
      </p>
    )}
    <SignInForm onToken={onToken} />
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
  const { busy, failure, run } = useWork();

  const provider = readProvider();
  useEffect(() => {
    if (provider === null) return;
    void run(async () => {
      const token = await (await import('./oidc.js')).returnFromProvider(provider);
      if (token !== undefined) await onToken(token);
    });
  }, []);

  const submit = (): void => void run(async () => onToken(await requestToken(clientId.trim(), secret.trim())));

  return (
    <>
      <form class="stack" onSubmit={sent(submit)}>
        <TextField
          name="Client id"
          value={clientId}
          onChange={(text) => {
            // The line that `make run` prints has both.
            const [, id = text, beside] = /(\S+)\s+(\S+)\s*$/.exec(text) ?? [];
            setClientId(id);
            if (beside !== undefined) setSecret(beside);
          }}
          autocomplete="username"
          spellcheck={false}
          required
          autofocus
        />
        <TextField
          name="Client secret"
          type="password"
          value={secret}
          onChange={setSecret}
          autocomplete="current-password"
          required
        />
        <Failure error={failure} />
        <button class="primary" disabled={busy}>
          Sign in
        </button>
      </form>
      {provider !== null && (
        <Button
          name={`Continue with ${new URL(provider.issuer).host}`}
          onClick={() => void run(() => leave(provider))}
        />
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
