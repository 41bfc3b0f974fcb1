import { Tick, toggled } from '../parts/entries.js';
import { useField } from '../parts/form.js';
import { areas, inWords } from './scopeWords.js';

/** Scopes to tick, by what they are about: the field `scopes` of a form. */
export function ScopeField() {
  const { value, put } = useField('scopes');
  const chosen = new Set(Array.isArray(value) ? (value as readonly string[]) : []);
  return (
    <fieldset class="choices">
      <legend>May do</legend>
      {areas.map(([area, scopes]) => (
        <details key={area} open={scopes.some(([scope]) => chosen.has(scope))}>
          <summary>
            {area}{' '}
            <span class="soft">
              {scopes.filter(([scope]) => chosen.has(scope)).length} of {scopes.length}
            </span>
          </summary>
          {scopes.map(([scope, word]) => (
            <Tick
              key={scope}
              name={`${area}: ${word}`}
              title={scope}
              checked={chosen.has(scope)}
              onChange={() => put([...toggled(chosen, scope)])}
            />
          ))}
        </details>
      ))}
    </fieldset>
  );
}

/** What scopes allow, in words. */
export const Words = ({ scopes }: { readonly scopes: readonly string[] }) => (
  <ul class="words" title={scopes.join(' ')}>
    {inWords(scopes).map((line) => (
      <li key={line}>{line}</li>
    ))}
  </ul>
);
