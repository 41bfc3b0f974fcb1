import type { ModelSchemas } from '../jdm/schemas.js';
import type { CompiledDmn, Described, TypeDescription } from './compileDmn.js';

type Schema = Record<string, unknown>;

/** JSON Schemas of a document's fact and result, from its declared types. They forbid nothing that a run would take. */
export function dmnSchemas({ inputs, decisions, program }: CompiledDmn): ModelSchemas {
  const tops = new Set(program.parts.tops.map(({ part }) => part.name));
  return {
    input: objectOf(inputs),
    output: objectOf(decisions.filter(({ name }) => tops.has(name))),
    inferred: false,
  };
}

const objectOf = (parts: readonly Described[]): Schema => ({
  type: 'object',
  properties: Object.fromEntries(parts.map(({ name, type }) => [name, schemaOf(type)])),
});

/** Whatever its type, a value may be null. */
function schemaOf({ kind, allowed, item, members, name }: TypeDescription): Schema {
  const choices = allowed === undefined ? undefined : literalsOf(allowed);
  const description = [name, allowed].filter((part) => part !== undefined).join(': ');
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
