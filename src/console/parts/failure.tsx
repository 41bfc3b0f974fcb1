import { Fragment, type ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { ApiError, errorsIn, messageOf, rootUrl } from '../api/client.js';
import { loadPart } from './loadPart.js';

/** What to do about codes that a person can do something about; the page of the code tells the rest. */
const remedies: Readonly<Record<string, string>> = {
  insufficient_scope: 'Ask the operator for that scope.',
  approval_required: 'It is deployed by a request that others approve: see Requests.',
  overloaded: 'Wait a moment, then try again.',
  engine_timeout: 'A busy machine takes longer: try again.',
  unreachable: 'Try again when it is.',
  precondition_failed: 'Somebody changed it meanwhile. Load it anew, then repeat your change.',
  too_many_requests: 'Wait a moment, then try again.',
};

/** Codes of which the message says all; what breaks a schema, whoever typed it mends. */
const plain: readonly string[] = ['unreachable', 'invalid_client', 'refused', 'validation_failed'];

interface FailureProps {
  /** Null where there is none. */
  readonly error: unknown;
  readonly onRetry?: () => void;
}

/** An error as the service told it, what to do, and the id by which the operator finds it. */
export function Failure({ error, onRetry }: FailureProps) {
  if (error === null) return null;
  const { code, requestId, body } = error instanceof ApiError ? error : { code: '', requestId: null, body: {} };
  // `/measures/0/expression` is told as `expression`.
  const errors = errorsIn(body).map(({ pointer, message: why }) =>
    // What is said of a cell begins with its name.
    why.startsWith(pointer) ? why : `${pointer.replace(/^.*\/(?=[^/\d])/, '')} ${why}`.trim(),
  );
  // What is wrong with a file as a whole: no field of a form has it.
  const isOfAll = code === 'validation_failed' && errorsIn(body).every(({ pointer }) => !pointer.startsWith('/'));
  return (
    <div role="alert" class="failure">
      {(!isOfAll || errors.length === 0) && (
        <p>
          {messageOf(error)} {remedies[code]}
        </p>
      )}
      {errors.length > 0 && (
        <ul>
          {errors.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      )}
      <p class="soft small">
        {/^[a-z_]+$/.test(code) && !plain.includes(code) && (
          <a href={new URL(`problems/${code}`, rootUrl).href}>{code}</a>
        )}{' '}
        {requestId !== null && code !== 'validation_failed' && <>Request {requestId}</>}
      </p>
      {onRetry !== undefined && (
        <button type="button" onClick={onRetry}>
          Try again
        </button>
      )}
    </div>
  );
}

/** A component whose script is loaded when it is first shown. @param Around what is told while it comes */
export function lazy<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  Around: ComponentType = Fragment,
): ComponentType<Props> {
  let known: ComponentType<Props> | null = null;
  return (props) => {
    const [part, setPart] = useState<{ readonly Part: ComponentType<Props> | null }>({ Part: known });
    const [failure, setFailure] = useState<unknown>(null);
    useEffect(() => {
      if (part.Part !== null) return;
      loadPart(load()).then((Part) => {
        known = Part;
        setPart({ Part });
      }, setFailure);
    }, []);
    if (part.Part !== null) return <part.Part {...props} />;
    return (
      <Around>
        {failure === null ? (
          <p class="soft" aria-busy="true">
            Loading …
          </p>
        ) : (
          // A newer service has other parts: the page is loaded with them.
          <Failure error={failure} onRetry={() => location.reload()} />
        )}
      </Around>
    );
  };
}
