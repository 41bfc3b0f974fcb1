import { dmnOf, readXml, tried, type Element } from '../engine/index.js';

/** Members of nodes that hold no words of an author. */
const skipped: ReadonlySet<string> = new Set(['id', '_id', 'type', 'hitPolicy', 'executionMode', 'position']);

/** Attributes of DMN's elements that hold words of an author. */
const words = ['name', 'label', 'outputLabel', 'typeRef'] as const;

/**
 * Whether a model has a text in the names of its nodes, or in what they hold: fields, cells, expressions, conditions,
 * functions, schemas; of a document of DMN in its names, types, cells, expressions and descriptions. Capital and small letters
 * are the same.
 * @param text the model as JSON
 */
export function modelHasText(text: string, search: string): boolean {
  const model = JSON.parse(text) as { readonly nodes?: unknown };
  const wanted = search.toLowerCase();
  const xml = dmnOf(model);
  const root = xml === undefined ? undefined : tried(() => readXml(xml));
  if (xml !== undefined) return root !== undefined && elementHas(root, wanted);
  const { nodes } = model;
  // Iterative, since a model may be deep.
  const waiting: unknown[] = Array.isArray(nodes) ? [...(nodes as unknown[])] : [];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (typeof next === 'string') {
      if (next.toLowerCase().includes(wanted)) return true;
    } else if (Array.isArray(next)) waiting.push(...(next as unknown[]).filter(isPresent));
    else if (typeof next === 'object' && next !== null) {
      for (const [name, value] of Object.entries(next)) if (!skipped.has(name) && isPresent(value)) waiting.push(value);
    }
  }
  return false;
}

/** Documents are read no deeper than a thread can bear. */
function elementHas({ attributes, text, children }: Element, wanted: string): boolean {
  const texts = [text, ...words.map((name) => attributes[name] ?? '')];
  return (
    texts.some((each) => each.toLowerCase().includes(wanted)) || children.some((child) => elementHas(child, wanted))
  );
}

const isPresent = (value: unknown): boolean => value !== undefined && value !== null;
