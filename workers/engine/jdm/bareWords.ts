import { isRecord } from '../../json/index.js';
import type { Written } from '../nodes/nodeType.js';
import { namesIn } from '../zen/names.js';
import { locationOf, type Model, type ModelNode } from './model.js';
import type { Report } from './reader.js';

// An expression that is one word, `approve`: a text without quotes, where it names nothing.

/** Steps of which it is known what they give. */
const known: ReadonlySet<string> = new Set(['expressionNode', 'decisionTableNode', 'switchNode']);

/** The word that an expression is; undefined for any other. */
export function bareWord({ source, kind, pointer }: Pick<Written, 'source' | 'kind' | 'pointer'>): string | undefined {
  if (kind !== 'standard' || !pointer.startsWith('/content/expressions/')) return undefined;
  const word = source.trim();
  const [name] = /^[\p{L}_][\p{L}\p{N}_]*$/u.test(word) ? namesIn(word, 'standard') : [];
  return name && word;
}

export const hintOfText = (word: string): string => `For a text write ${JSON.stringify(word)}.`;

/**
 * Whether words that nothing else in a model names are no fields of its requests: of a model that reads no other field nothing is
 * known of them, and functions and other decisions give what they like.
 * @param names all that it names beside them @param written what its nodes write
 */
export const knowsFields = ({ nodes }: Model, names: ReadonlySet<string>, written: ReadonlySet<string>): boolean =>
  nodes.every(({ type, parsed }: ModelNode) => parsed.role !== 'step' || known.has(type)) &&
  [...names].some((name) => !written.has(name));

/** Warns of expressions that are a word which names nothing, where the fields of the request are declared nowhere. */
export function checkWords(node: ModelNode, isNothing: (word: string) => boolean, report: Report): void {
  const location = locationOf(node);
  for (const written of node.parsed.expressions()) {
    const word = bareWord(written);
    if (word === undefined || !isNothing(word)) continue;
    const { source, field, label, pointer: within } = written;
    const where = { ...location, field, label, pointer: (location.pointer ?? '') + within, source };
    const message = `Nothing else in this model is named \`${word}\`: it is null, unless the request has it.`;
    report({ code: 'type_error', severity: 'warning', message, hint: hintOfText(word), ...where });
  }
}

/** The fields of the facts in a model's tests. */
export const namesOfTests = (document: unknown): readonly string[] =>
  (isRecord(document) && Array.isArray(document['tests']) ? (document['tests'] as unknown[]) : []).flatMap((test) =>
    isRecord(test) && isRecord(test['input']) ? Object.keys(test['input']) : [],
  );
