import { roleNames, roles } from '../../oauth/roles.js';
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

/** `author` is an Author. */
export const roleName = (role: string): string => role.charAt(0).toUpperCase() + role.slice(1);

/** What scopes allow: the role that has just these, else in words. */
export function Words({ scopes }: { readonly scopes: readonly string[] }) {
  const has = new Set(scopes);
  const role = roleNames.find((name) => isSameSet(new Set(roles[name].scopes), has));
  const lines = role === undefined ? inWords(scopes) : [roles[role].about];
  return (
    <ul class="words" title={scopes.join(' ')}>
      {role !== undefined && (
        <li>
          <b>{roleName(role)}</b>
        </li>
      )}
      {lines.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  );
}

const isSameSet = (one: ReadonlySet<string>, other: ReadonlySet<string>): boolean =>
  one.size === other.size && [...one].every((each) => other.has(each));
