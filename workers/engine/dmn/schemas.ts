import type { ModelSchemas } from '../jdm/schemas.js';
import { aboutDmn, describedIn } from './about.js';
import type { CompiledDmn, Described, TypeDescription } from './compileDmn.js';
import type { Definitions } from './definitions.js';

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
    parts.map(({ id, name, type }) => {
      const schema = schemaOf(type);
      const { description: ofType } = schema;
      const said = [words.get(id) ?? '', typeof ofType === 'string' ? ofType : ''].filter((part) => part !== '');
      return [name, said.length === 0 ? schema : { ...schema, description: said.join(' ') }];
    }),
  ),
});

/** Whatever its type, a value may be null. */
function schemaOf({ kind, allowed, item, members, name }: TypeDescription): Schema {
  const choices = allowed === undefined ? undefined : literalsOf(allowed);
  // Choices say themselves what is allowed.
  const description = [name, choices === undefined ? allowed : undefined]
    .filter((part) => part !== undefined)
    .join(': ');
  return {
    ...typed(kind, item, members),
    ...(choices === undefined ? {} : { enum: [...choices, null] }),
    ...(description === '' ? {} : { description }),
  };
}

function typed(
  kind: TypeDescription['kind'],
  item: TypeDescription['item'],
  members: TypeDescription['members'],
): Schema {
  switch (kind) {
    case 'number':
    case 'boolean':
    case 'string':
      return { type: [kind, 'null'] };
    case 'date':
      return { type: ['string', 'null'], format: 'date' };
    case 'time':
      return { type: ['string', 'null'], format: 'time' };
    case 'date and time':
      return { type: ['string', 'null'], format: 'date-time' };
    case 'days and time duration':
    case 'years and months duration':
      return { type: ['string', 'null'], format: 'duration' };
    case 'list':
      return { type: ['array', 'null'], ...(item === undefined ? {} : { items: schemaOf(item) }) };
    case 'context':
      return {
        type: ['object', 'null'],
        properties: Object.fromEntries(Object.entries(members ?? {}).map(([key, type]) => [key, schemaOf(type)])),
      };
    default:
      return {};
  }
}

/** The values of a list of literals, such as `"Private", "Business"` or `1, 2`; undefined where there is anything else. */
function literalsOf(allowed: string): unknown[] | undefined {
  try {
    return JSON.parse(`[${allowed}]`) as unknown[];
  } catch {
    return undefined;
  }
}
