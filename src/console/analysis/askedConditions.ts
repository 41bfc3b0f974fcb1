import { spacedNames, withSpacedNames, zenText } from '../../../workers/cells/index.js';
import type { Fault, Model } from '../api/types.js';
import { fieldPath, membersOf, rowsOf, textOf } from '../graph/fields.js';

// What people type where a condition about the fact and the result is asked: names as everywhere else, and signs of a spreadsheet.

type Paths = ReadonlyMap<string, string>;

/** What the fields of the fact and those of the result are called, each with its path. */
export interface AskedNames {
  readonly fact: Paths;
  readonly result: Paths;
}

/** @param schemas of what the decision takes and gives */
export function askedNames(
  { document, nodes }: Model,
  schemas: { readonly input: unknown; readonly output: unknown },
): AskedNames {
  const namesOf = (root: 'fact' | 'result', schema: unknown, list: 'inputs' | 'outputs'): Paths => {
    const fields = Object.keys(membersOf(membersOf(schema)['properties'])).filter((name) => !words.has(name));
    const columns = nodes.flatMap(({ content }) => rowsOf(content, list));
    return new Map([
      // What a column is called stands for the field that it reads or writes.
      ...columns.flatMap(({ name, field }) => {
        const path = list === 'inputs' ? fieldPath(textOf(field), document !== undefined) : textOf(field).split('.');
        const isKnown = path[0] !== undefined && fields.includes(path[0]) && textOf(name).trim() !== '';
        return isKnown ? [[textOf(name).trim().toLowerCase(), zenPath(root, path)] as const] : [];
      }),
      ...fields.map((name) => [name.toLowerCase(), zenPath(root, [name])] as const),
    ]);
  };
  return { fact: namesOf('fact', schemas.input, 'inputs'), result: namesOf('result', schemas.output, 'outputs') };
}

/** They have a meaning already. */
const words: ReadonlySet<string> = new Set(['fact', 'result', 'and', 'or', 'not', 'in', 'true', 'false', 'null', '']);

const zenPath = (root: string, path: readonly string[]): string =>
  root + path.map((name) => (/^[A-Za-z_]\w*$/.test(name) ? `.${name}` : `[${zenText(name)}]`)).join('');

/**
 * All that a typed condition may mean, as conditions of a switch are read; the condition alone where nothing else is known to be meant.
 * @param validate the service's check of a model
 */
export async function askedConditions(
  source: string,
  { fact, result }: AskedNames,
  validate: (model: Model) => Promise<readonly Fault[]>,
): Promise<readonly string[]> {
  // A name that is one of both may be either.
  const named = [new Map([...fact, ...result]), new Map([...result, ...fact])].map((paths) => withNames(source, paths));
  const found = await Promise.all(
    [...new Set(named)].map(async (condition) => {
      const faults = await validate(asking(condition));
      const meant = faults.flatMap(({ repair, readings = repair === undefined ? [] : [repair] }) => readings);
      return meant.length === 0 ? [condition] : meant;
    }),
  );
  return [...new Set(found.flat())];
}

function withNames(source: string, paths: Paths): string {
  const isCalled = (name: string): boolean => source.toLowerCase().includes(`${name}(`);
  const fields = new Map([...paths].filter(([name]) => !words.has(name) && !isCalled(name)));
  return withSpacedNames(spacedNames(fields), source, (named) => named) ?? source;
}

/** A model that asks nothing but this. */
const asking = (condition: string): Model => {
  const schema = JSON.stringify({ type: 'object', properties: { fact: {}, result: {} } });
  const statements = [
    { id: 'asked', condition },
    { id: 'else', condition: '' },
  ];
  return {
    nodes: [
      { id: 'in', type: 'inputNode', name: 'in', content: { schema } },
      { id: 'way', type: 'switchNode', name: 'way', content: { statements } },
      { id: 'out', type: 'outputNode', name: 'out' },
    ],
    edges: [
      { id: 'first', sourceId: 'in', targetId: 'way' },
      ...statements.map(({ id }) => ({ id, sourceId: 'way', targetId: 'out', sourceHandle: id })),
    ],
  };
};
