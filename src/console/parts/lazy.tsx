import { Fragment, type ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Failure } from './failure.js';
import { loadPart } from './loadPart.js';

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
