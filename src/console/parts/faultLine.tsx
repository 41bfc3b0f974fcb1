import type { Fault } from '../api/types.js';
import { named, severityWord, told } from './faultWords.js';

/** One fault of a model, with the place in the expression where there is one. */
export function FaultLine({ fault }: { readonly fault: Fault }) {
  const { severity, node, field, excerpt, column } = fault;
  return (
    <div class={`fault ${severity}`}>
      <b>{severityWord(severity)}</b> {named([node, field].filter(Boolean).join(', '))}: {told(fault)}
      {excerpt !== null && (
        <pre>
          {excerpt}
          {column !== null && `\n${' '.repeat(column - 1)}^`}
        </pre>
      )}
    </div>
  );
}
