import { dmnOf, fromJson, whyItHeld, type Element } from '../../engine/index.js';
import { parseExactly, valueAt } from '../../json/index.js';
import type { Bundle } from '../../protocol.js';
import type { NarrateAnswer, NarrateTask, Step } from './tasks.js';
import { gaveFields, given, matched, whyItFits } from './outputs.js';
import { whatWasMissing } from './missing.js';
import { nearestInWords } from './conditions.js';
import { elementsOf, tellElement } from './tellDmn.js';
import { fields, list, maxSentences, nodesOf, readable, type Fields, type Traced } from './traced.js';

/** Steps of a page, and characters of all of their sentences: a decision with a long cell may be asked in many of them. */
const most = { steps: 300, characters: 200_000 };

/** The steps of a run in their order. What a trace does not hold, such as secrets, is not told. */
export function narrate({ bundle, trace, languages }: NarrateTask): NarrateAnswer {
  const opened = JSON.parse(bundle) as Bundle;
  const { entries } = opened.manifest;
  let room = most.steps;
  let characters = 0;
  let left = 0;
  const readableStep = ({ node, sentences, reasons, inside }: Step): Step => {
    const step = {
      ...{ node: readable(node), sentences: sentences.map(readable), inside },
      reasons: reasons.map(({ text, language }) => ({ text: readable(text), language })),
    };
    for (const text of [step.node, ...step.sentences, ...step.reasons.map(({ text }) => text)])
      characters += text.length;
    return step;
  };

  const stepsOf = (traced: unknown, entry: number): Step[] => {
    const document = documentOf(entry, opened);
    const nodes = nodesOf(document);
    const elements = dmnOf(document) === undefined ? undefined : elementsAt(entry, opened);
    const steps: Step[] = [];
    for (const one of inOrder(traced)) {
      const node = nodes.get(one.id) ?? {};
      const { type } = node;
      if (type === 'inputNode' || type === 'outputNode') continue;
      if (room === 0 || characters > most.characters) {
        left++;
        continue;
      }
      room--;
      if (elements !== undefined) {
        const sentences = [...tellElement(one, elements.get(one.id)), ...nullsOf(one.id, traced)];
        steps.push(readableStep({ node: one.name, sentences, reasons: [], inside: [] }));
        continue;
      }
      const content = fields(node['content']);
      const asked = entries[entry]?.links[String(content['key'])];
      const isAsked = type === 'decisionNode' && asked !== undefined && isTrace(one.traceData);
      const told = tell(one, { type, content, languages });
      steps.push(readableStep({ node: one.name, ...told, inside: isAsked ? stepsOf(one.traceData, asked) : [] }));
    }
    return steps;
  };

  const steps = stepsOf(parseExactly(trace), 0);
  return { steps, left };
}

function documentOf(entry: number, { manifest, contents }: Bundle): unknown {
  const content = contents[manifest.entries[entry]?.content ?? ''];
  return content === undefined ? undefined : JSON.parse(content);
}

/** Elements of a DMN document, and of those that it imports; its own ones hide others. */
function elementsAt(entry: number, bundle: Bundle, seen = new Set<number>()): Map<string, Element> {
  const xml = dmnOf(documentOf(entry, bundle));
  if (xml === undefined || seen.has(entry)) return new Map();
  seen.add(entry);
  const linked = Object.values(bundle.manifest.entries[entry]?.links ?? {});
  return new Map([...linked.flatMap((each) => [...elementsAt(each, bundle, seen)]), ...elementsOf(xml)]);
}

/** What was null in an element of a DMN model, and why: where it came from, not each null that was computed of it. */
const nullsOf = (id: string, trace: unknown): string[] => {
  const own = list(fields(trace)['warnings']).filter(({ nodeId }) => nodeId === id);
  return own
    .filter((warning, at) => !own.slice(0, at).some((earlier) => isComputedOf(warning, earlier)))
    .slice(0, maxSentences)
    .map(({ source, message }) => `found no value${textIn(source) && ` in ${textIn(source)}`}: ${String(message)}`);
};

/** Whether a null is the outcome of an expression that found another null in a part of it. */
function isComputedOf(warning: Fields, earlier: Fields): boolean {
  const [[from, to], [first, last]] = [spanOf(warning), spanOf(earlier)];
  const isWider = from <= first && to >= last && to - from > last - first;
  return isWider && warning['source'] === earlier['source'] && /\bnull\b/.test(String(warning['message']));
}

const spanOf = ({ span }: Fields): readonly [from: number, to: number] =>
  Array.isArray(span) ? [Number(span[0]), Number(span[1])] : [0, 0];

const textIn = (value: unknown): string => (typeof value === 'string' ? value.trim() : '');

/** A DMN model's trace has its warnings as a list beside the nodes. */
const inOrder = (trace: unknown): Traced[] =>
  Object.values(fields(trace))
    .filter((node) => !Array.isArray(node))
    .map((node) => node as Traced)
    .sort((one, other) => one.order - other.order);

const isTrace = (data: unknown): boolean =>
  Object.values(fields(data)).some((node) => 'order' in fields(node) && 'traceData' in fields(node));

interface Node {
  readonly type: unknown;
  readonly content: Fields;
  readonly languages: readonly string[];
}

function tell(traced: Traced, node: Node): Pick<Step, 'sentences' | 'reasons'> {
  const { error, input } = traced;
  if (error !== undefined) {
    const missing = whatWasMissing(error, fromJson(input), node.content);
    return { sentences: [`failed: ${error.message}${missing}`], reasons: [] };
  }
  switch (node.type) {
    case 'switchNode':
      return tellSwitch(traced, node);
    case 'decisionTableNode': {
      const { sentences, reasons } = tellTable(traced, node);
      return { sentences: [...passedOver(traced), ...sentences], reasons };
    }
    case 'expressionNode':
      return { sentences: tellExpressions(traced, node), reasons: [] };
    default:
      return { sentences: [gaveFields(traced.output, traced.input)], reasons: [] };
  }
}

const ordinals = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth', 'ninth', 'tenth'];

function tellSwitch({ traceData, input }: Traced, { content, languages }: Node): Pick<Step, 'sentences' | 'reasons'> {
  const statements = list(content['statements']);
  const chosen = list(fields(traceData)['statements']).map(({ id }) => String(id));
  if (chosen.length === 0) return { sentences: ['chose no branch, because none of its conditions held'], reasons: [] };
  const sentences = chosen.slice(0, maxSentences).map((id) => {
    const index = statements.findIndex((statement) => statement['id'] === id);
    const branch = ordinals[index] === undefined ? `branch ${index + 1}` : `the ${ordinals[index]} branch`;
    const condition = textIn(statements[index]?.['condition']);
    if (condition === '') return `chose ${branch}, because no branch before it was chosen`;
    return `chose ${branch}, because ${whyItHeld(condition, fromJson(input)).join(', and ')}`;
  });
  return { sentences, reasons: reasonsOf(content, chosen, languages) };
}

function tellTable(
  { traceData, output, nearest }: Traced,
  { content, languages }: Node,
): Pick<Step, 'sentences' | 'reasons'> {
  if (Array.isArray(traceData) && traceData.some(Array.isArray))
    return { sentences: [`looked at ${traceData.length} items, and gave ${given(output)}`], reasons: [] };
  const hits = (Array.isArray(traceData) ? list(traceData) : [fields(traceData)]).filter(
    ({ index }) => index !== undefined,
  );
  if (hits.length === 0) return { sentences: [`has no row that matches${nearestInWords(nearest)}`], reasons: [] };
  const rules = list(content['rules']);
  const sentences = hits.slice(0, maxSentences).map((hit) => {
    const index = Number(hit['index']);
    const why = matchesOf(hit, content, rules[index] ?? {});
    return `${matched('row', index, why)}${hits.length === 1 ? givenBy(output, content) : ''}`;
  });
  const ids = hits.map((hit) => String(rules[Number(hit['index'])]?.['_id']));
  return { sentences, reasons: reasonsOf(content, ids, languages) };
}

const passedOver = ({ passedOver: rows = [] }: Traced): string[] =>
  rows.map(({ index, message }) => `passed over row ${index + 1}, which would match, but ${message}`);

function matchesOf(hit: Fields, content: Fields, rule: Fields): string[] {
  const values = fields(hit['reference_map']);
  return list(content['inputs']).flatMap(({ id, field }) => {
    const cell = textIn(rule[String(id)]);
    if (cell === '') return [];
    const asked = textIn(field);
    return [asked === '' ? `${cell} held` : whyItFits(cell, asked, values[asked])];
  });
}

/** What the columns of results gave. */
function givenBy(output: unknown, content: Fields): string {
  const made = list(content['outputs']).flatMap(({ field }) => {
    const path = textIn(field);
    const value = valueAt(output, `/${path.replaceAll('.', '/')}`);
    return path === '' || value === undefined ? [] : [`${path} ${given(value)}`];
  });
  return made.length === 0 ? '' : `; it gave ${made.join(', ')}`;
}

function tellExpressions({ traceData, output }: Traced, { content }: Node): string[] {
  const results = fields(traceData);
  const told = list(content['expressions']).flatMap(({ key, value }) => {
    const result = fields(results[String(key)]);
    if (!('result' in result)) return [];
    const made = `made ${String(key)} ${given(result['result'])}`;
    return isLiteral(String(value)) ? [made] : [`${made}, by ${String(value)}`];
  });
  if (told.length === 0) return [gaveFields(output, undefined)];
  return told.length > maxSentences ? [...told.slice(0, maxSentences), `and ${told.length - maxSentences} more`] : told;
}

/** It says what it gives. */
const isLiteral = (source: string): boolean => /^\s*(?:'[^']*'|"[^"]*"|-?[\d.]+|true|false|null)\s*$/.test(source);

/** What the model names texts for: its node's `reasons`, by the ids of rows or statements. */
function reasonsOf(content: Fields, ids: readonly string[], languages: readonly string[]): Step['reasons'] {
  const named = fields(content['reasons']);
  return ids.slice(0, maxSentences).flatMap((id) => {
    const texts = Object.entries(fields(named[id])).filter(([, text]) => typeof text === 'string');
    return chosenText(Object.fromEntries(texts) as Texts, languages) ?? [];
  });
}

/** One text in several languages, by their tags: `{en, fi, sv, de}`. */
type Texts = Readonly<Record<string, string>>;

/** The text in the first language that its reader understands, else in English, else in the first that there is. */
export function chosenText(
  texts: Texts,
  languages: readonly string[],
): { readonly text: string; readonly language: string } | undefined {
  const tags = Object.keys(texts);
  const wanted = [...languages, 'en'];
  const found = wanted.map((language) => tagFor(tags, language)).find((tag) => tag !== undefined) ?? tags[0];
  return found === undefined ? undefined : { text: texts[found] ?? '', language: found };
}

/** `fi-FI` is understood by who asks for `fi`, and the other way round. */
function tagFor(tags: readonly string[], language: string): string | undefined {
  const wanted = language.toLowerCase();
  const exact = tags.find((tag) => tag.toLowerCase() === wanted);
  return exact ?? tags.find((tag) => primary(tag) === primary(wanted));
}

const primary = (tag: string): string => tag.toLowerCase().split('-')[0] ?? '';
