import { useField } from './form.js';
import { VersionChoice } from './versionChoice.js';

/** A version as a field of a form, for the decision that the form is of; the working copy can be chosen, too. */
export function VersionField({ at, name }: { readonly at: string; readonly name: string }) {
  const decision = useField('decisionId');
  const { value, put } = useField(at);
  return (
    <VersionChoice
      name={name}
      decisionId={String(decision.value)}
      value={Number(value)}
      workingCopy="first"
      onChange={put}
    />
  );
}
