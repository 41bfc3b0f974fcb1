import { Fragment, type ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Failure } from './failure.js';

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
          <Failure error={failure} />
        )}
      </Around>
    );
  };
}

/** A part of the console that is loaded where it is needed. Rejects with what a person can do where it is not there. */
export async function loadPart<Part>(part: Promise<Part>): Promise<Part> {
  try {
    return await part;
  } catch {
    throw new Error(
      'A part of this page could not be loaded: the service is away, or newer than the page. Load the page anew.',
    );
  }
}
