import { childOf, childrenOf, readXml, textWithin, type Element } from '../../engine/index.js';
import { pointerOf, pointerStep, valueAt } from '../../json/index.js';
import { given, matched, whyItFits } from './outputs.js';
import { maxSentences, type Traced } from './traced.js';

/** The elements of a DMN document that traces have entries of, by id. */
export function elementsOf(xml: string): Map<string, Element> {
  const kinds = new Set(['decision', 'businessKnowledgeModel', 'decisionService']);
  const { children } = readXml(xml);
  return new Map(children.flatMap((each) => (kinds.has(each.name) ? [[each.attributes['id'] ?? '', each]] : [])));
}

/** What an element of a DMN model did: of a decision table which rules matched, and why; of boxed entries each of them. */
export function tellElement({ traceData, input, output }: Traced, element: Element | undefined): string[] {
  const gave = `gave ${given(output)}`;
  if (Array.isArray(traceData)) return [`was asked ${traceData.length} times, and ${gave}`];
  if (typeof traceData !== 'object' || traceData === null) return [gave];
  const { rules: hits } = traceData as { readonly rules?: unknown };
  const table = element && logicOf(element, 'decisionTable');
  if (table !== undefined && Array.isArray(hits)) return tellTable(table, { hits, input, output });
  const isContext = element !== undefined && logicOf(element, 'context') !== undefined;
  const entries = Object.entries(traceData).map(([name, value]) =>
    isContext ? `made ${name} ${given(value)}` : `${name}: ${given(value)}`,
  );
  return [...entries.slice(0, maxSentences), gave];
}

/** The expression of a kind that is all of a decision's logic, or of a business knowledge model's. */
const logicOf = (element: Element, kind: string): Element | undefined =>
  childOf(childOf(element, 'encapsulatedLogic') ?? element, kind);

interface Matched {
  readonly hits: readonly unknown[];
  readonly input: unknown;
  readonly output: unknown;
}

function tellTable(table: Element, { hits, input, output }: Matched): string[] {
  if (hits.length === 0) return [`has no rule that matches, and gave ${given(output)}`];
  const rules = childrenOf(table, 'rule');
  const sentences = hits.slice(0, maxSentences).map((hit) => {
    const { index } = hit as { readonly index: number };
    const rule = rules[index];
    const why = rule === undefined ? [] : matchesOf(table, rule, input);
    return matched('rule', index, why);
  });
  const [only] = sentences;
  return hits.length === 1 ? [`${only}; it gave ${given(output)}`] : [...sentences, `gave ${given(output)}`];
}

function matchesOf(table: Element, rule: Element, input: unknown): string[] {
  const entries = childrenOf(rule, 'inputEntry');
  return childrenOf(table, 'input').flatMap((column, at) => {
    const entry = entries[at];
    const cell = (entry === undefined ? '' : (textWithin(entry) ?? '')).trim();
    if (cell === '' || cell === '-') return [];
    const source = (textWithin(column, 'inputExpression') ?? '').trim();
    return [whyItFits(cell, source, valueOf(input, source))];
  });
}

/** The value of a name, and of members of that; undefined for any other expression. */
const valueOf = (input: unknown, source: string): unknown =>
  valueAt(input, pointerStep(source)) ?? valueAt(input, pointerOf(source.split('.').map((name) => name.trim())));
