import { areas, inWords } from './scopeWords.js';

interface ChoiceProps {
  readonly chosen: ReadonlySet<string>;
  readonly onChange: (chosen: ReadonlySet<string>) => void;
}

const toggled = (chosen: ReadonlySet<string>, one: string, on: boolean): ReadonlySet<string> => {
  const next = new Set(chosen);
  if (on) next.add(one);
  else next.delete(one);
  return next;
};

/** Scopes to tick, by what they are about. */
export const ScopeChoice = ({ chosen, onChange }: ChoiceProps) => (
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
          <label key={scope} class="choice" title={scope}>
            <input
              type="checkbox"
              checked={chosen.has(scope)}
              onChange={({ currentTarget }) => onChange(toggled(chosen, scope, currentTarget.checked))}
            />
            {`${area}: ${word}`}
          </label>
        ))}
      </details>
    ))}
  </fieldset>
);

interface NamedChoiceProps extends ChoiceProps {
  readonly legend: string;
  readonly options: readonly { readonly id: string; readonly name: string }[];
}

export const NamedChoice = ({ legend, options, chosen, onChange }: NamedChoiceProps) => (
  <fieldset class="choices">
    <legend>{legend}</legend>
    {options.map(({ id, name }) => (
      <label key={id} class="choice">
        <input
          type="checkbox"
          checked={chosen.has(id)}
          onChange={({ currentTarget }) => onChange(toggled(chosen, id, currentTarget.checked))}
        />
        {name}
      </label>
    ))}
  </fieldset>
);

/** What scopes allow, in words. */
export const Words = ({ scopes }: { readonly scopes: readonly string[] }) => (
  <ul class="words" title={scopes.join(' ')}>
    {inWords(scopes).map((line) => (
      <li key={line}>{line}</li>
    ))}
  </ul>
);
