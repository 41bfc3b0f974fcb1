import { isSame } from '../compare/changes.js';
import { fields, list, type Fields } from './traced.js';

/** Names of tests in a sentence; nobody reads more of them. */
const mostNames = 20;

/** Which of a model's own tests changed, came or went, by their names: what is in them is JSON, which is nothing to read. */
export function testsInWords(before: unknown, after: unknown): string[] {
  const [old, young] = [named(fields(before)['tests']), named(fields(after)['tests'])];
  const stayed = [...young].filter(([name]) => old.has(name));
  const told = [
    sentence(
      'changed',
      stayed.filter(([name, test]) => !isSame(old.get(name), test)),
    ),
    sentence(
      'added',
      [...young].filter(([name]) => !old.has(name)),
    ),
    sentence(
      'removed',
      [...old].filter(([name]) => !young.has(name)),
    ),
  ].flat();
  return told.length > 0 ? told : ['the order of the tests is another one'];
}

/** By their names; one without a name, or with that of another, by its number too. */
function named(tests: unknown): ReadonlyMap<string, Fields> {
  const found = new Map<string, Fields>();
  for (const [at, test] of list(tests).entries()) {
    const name = typeof test['name'] === 'string' && test['name'] !== '' ? test['name'] : `test ${at + 1}`;
    found.set(found.has(name) ? `${name} (${at + 1})` : name, test);
  }
  return found;
}

function sentence(change: 'changed' | 'added' | 'removed', tests: readonly (readonly [string, unknown])[]): string[] {
  const count = tests.length;
  if (count === 0) return [];
  const done = change === 'changed' ? change : `${count === 1 ? 'was' : 'were'} ${change}`;
  const names = tests.slice(0, mostNames).map(([name]) => `“${name}”`);
  const more = count > mostNames ? ` and ${count - mostNames} more` : '';
  return [`${count} ${count === 1 ? 'test' : 'tests'} ${done}: ${names.join(', ')}${more}`];
}
