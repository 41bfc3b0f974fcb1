import { maxAbout } from '../jdm/about.js';
import type { ModelSchemas } from '../jdm/schemas.js';
import type { CompiledDmn, Described, TypeDescription } from './compileDmn.js';
import type { Definitions, Part } from './definitions.js';
import { childOf, type Element } from './element.js';

type Schema = Record<string, unknown>;

/**
 * JSON Schemas of a document's fact and result, from its declared types, with what its author says of them. They forbid
 * nothing that a run would take.
 */
export function dmnSchemas({ inputs, decisions, program }: CompiledDmn, definitions: Definitions): ModelSchemas {
  const tops = new Set(program.parts.tops.map(({ part }) => part.id));
  const words = new Map(definitions.parts.map((part) => [part.id, describedIn(part)] as const));
  return {
    input: objectOf(inputs, words),
    output: objectOf(
      decisions.filter(({ id }) => tops.has(id)),
      words,
    ),
    inferred: false,
    about: aboutDmn(definitions, tops),
  };
}

/** @param words of the parts by their ids, empty where nothing is said */
const objectOf = (parts: readonly Described[], words: ReadonlyMap<string, string>): Schema => ({
  type: 'object',
  properties: Object.fromEntries(
    firstOfName(parts).map(({ id, name, type }) => {
      const schema = schemaOf(type);
      const { description: ofType } = schema;
      const said = [words.get(id) ?? '', typeof ofType === 'string' ? ofType : ''].filter((part) => part !== '');
      return [name, said.length === 0 ? schema : { ...schema, description: said.join(' ') }];
    }),
  ),
});

/** Of a name that a document and one that it imports have, the nearer one, which stands first. */
const firstOfName = (parts: readonly Described[]): readonly Described[] => {
  const names = new Set<string>();
  return parts.filter(({ name }) => !names.has(name) && names.add(name));
};

/** Whatever its type, a value may be null. */
function schemaOf(described: TypeDescription): Schema {
  const { allowed, name } = described;
  const choices = allowed === undefined ? undefined : literalsOf(allowed);
  // Choices say themselves what is allowed.
  const description = [name, choices === undefined ? allowed : undefined]
    .filter((part) => part !== undefined)
    .join(': ');
  return {
    ...typed(described),
    ...(choices === undefined ? {} : { enum: [...choices, null] }),
    ...(description === '' ? {} : { description }),
  };
}

const texts = (format: string): Schema => ({ type: ['string', 'null'], format });

/** By the kind of a type, of those that have no parts. */
const simple: Partial<Record<TypeDescription['kind'], Schema>> = {
  number: { type: ['number', 'null'] },
  boolean: { type: ['boolean', 'null'] },
  string: { type: ['string', 'null'] },
  date: texts('date'),
  time: texts('time'),
  'date and time': texts('date-time'),
  'days and time duration': texts('duration'),
  'years and months duration': texts('duration'),
};

function typed({ kind, item, members = {} }: TypeDescription): Schema {
  if (kind === 'list') return { type: ['array', 'null'], ...(item === undefined ? {} : { items: schemaOf(item) }) };
  if (kind !== 'context') return simple[kind] ?? {};
  const properties = Object.entries(members).map(([key, type]) => [key, schemaOf(type)] as const);
  return { type: ['object', 'null'], properties: Object.fromEntries(properties) };
}

/** The values of a list of literals, such as `"Private", "Business"` or `1, 2`; undefined where there is anything else. */
function literalsOf(allowed: string): unknown[] | undefined {
  try {
    return JSON.parse(`[${allowed}]`) as unknown[];
  } catch {
    return undefined;
  }
}

/**
 * What a document decides, in its own words: its description, and of each of the decisions that it answers the question, the
 * allowed answers and the description. Empty where it says nothing.
 * @param tops ids of the decisions that no other one requires
 */
function aboutDmn({ root, parts }: Definitions, tops: ReadonlySet<string>): string {
  const decisions = parts.filter(({ kind, id }) => kind === 'decision' && tops.has(id));
  return [wordsIn(root, 'description'), ...decisions.map(saidOf)]
    .filter((part) => part !== '')
    .join(' ')
    .slice(0, maxAbout);
}

/** What a part is, as its author describes it; empty where nothing is said. */
const describedIn = ({ element }: Part): string => wordsIn(element, 'description');

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
