import { maxAbout } from '../jdm/about.js';
import type { Definitions, Part } from './definitions.js';
import { childOf, type Element } from './xml.js';

/**
 * What a document decides, in its own words: its description, and of each of the decisions that it answers the question, the
 * allowed answers and the description. Empty where it says nothing.
 * @param tops ids of the decisions that no other one requires
 */
export function aboutDmn({ root, parts }: Definitions, tops: ReadonlySet<string>): string {
  const decisions = parts.filter(({ kind, id }) => kind === 'decision' && tops.has(id));
  return [wordsIn(root, 'description'), ...decisions.map(saidOf)]
    .filter((part) => part !== '')
    .join(' ')
    .slice(0, maxAbout);
}

/** What a part is, as its author describes it; empty where nothing is said. */
export const describedIn = ({ element }: Part): string => wordsIn(element, 'description');

function saidOf({ name, element }: Part): string {
  const answers = wordsIn(element, 'allowedAnswers');
  const said = [
    wordsIn(element, 'question'),
    wordsIn(element, 'description'),
    answers === '' ? '' : `Answers: ${answers}`,
  ].filter((part) => part !== '');
  return said.length === 0 ? `It decides ${name}.` : `${name}: ${said.join(' ')}`;
}

function wordsIn(element: Element, name: string): string {
  return (childOf(element, name)?.text ?? '').replaceAll(/\s+/g, ' ').trim();
}
