import type { Written } from '../nodes/nodeType.js';
import { isWords, textHint } from '../zen/habits.js';
import { namesIn, type Name } from '../zen/names.js';
import { nearest } from '../zen/nearest.js';
import { addFields, fieldsOfSchema, type Fields } from './fields.js';
import { locationOf, type Model, type ModelNode } from './model.js';
import type { Plan } from './plan.js';
import type { Report } from './reader.js';
import { contentsOf, inOrder } from './schemas.js';

// Warnings of names that lead nowhere, which the reference engine reads as null in silence.

type Content = Readonly<Record<string, unknown>>;

/** What is wrong with a name; undefined where nothing is. */
type Judge = (name: Name) => { readonly message: string; readonly hint?: string } | undefined;

/** Warns where an expression names a field that no node before it writes and the request's schema does not have. */
export function checkNames(document: unknown, model: Model, plan: Plan, report: Report, isLate: () => boolean): void {
  const contents = contentsOf(document);
  const outputs: (Fields | null)[] = model.nodes.map(() => null);
  let everywhere: ReadonlySet<string> | undefined;
  // Few models have a cell for which it has to be known.
  const isNamed = (name: string): boolean => (everywhere ??= namesOf(model, contents)).has(name);
  for (const index of inOrder(plan)) {
    const node = model.nodes[index];
    if (node === undefined || isLate()) continue;
    const content = contents.get(node.id) ?? {};
    const before = index === plan.entry ? fieldsOfSchema(content['schema']) : merged(plan, index, outputs);
    outputs[index] = outputOf(node, content, before);
    // What a part of the data has, or each item of a list, is not followed.
    const isPart = content['executionMode'] === 'loop' || isFilled(content['inputField']);
    checkNode(node, before === null || isPart ? null : before, isNamed, report);
  }
}

function checkNode(node: ModelNode, known: Fields | null, isNamed: (name: string) => boolean, report: Report): void {
  const location = locationOf(node);
  const judged = new Map<string, ReturnType<typeof judgement>>();
  for (const written of node.parsed.expressions()) {
    const { source, kind, field, label, pointer } = written;
    const isText = isCell(written) && isWords(source);
    // Where anything may be there, only words that nothing else in the model names are told.
    if (known === null && !isText) continue;
    const key = `${kind}:${source}`;
    if (!judged.has(key)) judged.set(key, judgement(written, known === null ? namedWhere(isNamed) : fieldIn(known)));
    const found = judged.get(key);
    if (found === undefined) continue;
    const hint = isText && found.isWhole ? { hint: textHint(source) } : {};
    const where = { ...location, field, label, pointer: (location.pointer ?? '') + pointer, source, span: found.span };
    report({ code: 'type_error', severity: 'warning', ...found.wrong, ...hint, ...where });
  }
}

/** The first name of a source that leads nowhere, and whether all of them do. */
function judgement({ source, kind }: Written, judge: Judge) {
  const names = namesIn(source, kind === 'unary' ? 'unary' : 'standard');
  const judged = names.map(judge);
  const at = judged.findIndex((judgement) => judgement !== undefined);
  const [name, wrong] = [names[at], judged[at]];
  if (name === undefined || wrong === undefined) return undefined;
  return { span: name.span, wrong, isWhole: !judged.includes(undefined) };
}

/** Cells of columns without a field are whole conditions, in which a name alone is a field. */
const isCell = ({ pointer, kind }: Written): boolean => kind !== 'condition' && pointer.startsWith('/content/rules/');

const fieldIn =
  (known: Fields): Judge =>
  ({ path }) => {
    let fields: Fields | null = known;
    for (const [depth, part] of path.entries()) {
      if (fields === null) return undefined;
      if (fields.has(part)) {
        fields = fields.get(part) ?? null;
        continue;
      }
      const before = path.slice(0, depth);
      const whose = depth === 0 ? 'Neither the request nor a node before this one' : `\`${before.join('.')}\``;
      const message = `${whose} has ${depth === 0 ? 'a' : 'no'} field \`${part}\`: it is null.`;
      const near = nearest(part, [...fields.keys()]);
      return near === undefined ? { message } : { message, hint: `Did you mean \`${[...before, near].join('.')}\`?` };
    }
    return undefined;
  };

const namedWhere =
  (isNamed: (name: string) => boolean): Judge =>
  ({ path: [name = ''] }) =>
    isNamed(name)
      ? undefined
      : { message: `Nothing in this model is named \`${name}\`: it is null, unless the request has it.` };

/** All that a model writes, and reads where it is no cell of words alone. */
function namesOf({ nodes }: Model, contents: ReadonlyMap<string, Content>): ReadonlySet<string> {
  const names = new Set<string>();
  for (const node of nodes) {
    const content = contents.get(node.id) ?? {};
    for (const name of fieldsOfSchema(content['schema'])?.keys() ?? []) names.add(name);
    for (const path of pathsOf(node.type, content)) names.add(path[0] ?? '');
    for (const written of node.parsed.expressions()) {
      if (isCell(written) && isWords(written.source)) continue;
      for (const { path } of namesIn(written.source, written.kind === 'unary' ? 'unary' : 'standard'))
        names.add(path[0] ?? '');
    }
  }
  return names;
}

/** The fields that a node gives to those after it; null where anything may be among them. */
function outputOf({ type, parsed }: ModelNode, content: Content, before: Fields | null): Fields | null {
  if (parsed.role !== 'step') return before;
  const isList = content['executionMode'] === 'loop' || content['hitPolicy'] === 'collect';
  const isKnown = type === 'expressionNode' || type === 'decisionTableNode';
  const { outputPath } = content;
  const own = new Map<string, Fields | null>();
  if (isFilled(outputPath)) addFields(own, outputPath.trim().split('.'));
  else if (isList || !isKnown) return null;
  else for (const path of pathsOf(type, content)) addFields(own, path);
  if (content['passThrough'] !== true) return own;
  return before === null ? null : new Map([...before, ...own]);
}

/** The paths that a table or a list of expressions writes. */
function pathsOf(type: string, content: Content): string[][] {
  const [list, name] =
    type === 'expressionNode'
      ? [content['expressions'], 'key']
      : type === 'decisionTableNode'
        ? [content['outputs'], 'field']
        : [];
  if (!Array.isArray(list) || name === undefined) return [];
  return (list as unknown[]).flatMap((item) => {
    const path = typeof item === 'object' && item !== null ? (item as Content)[name] : undefined;
    return isFilled(path)
      ? [
          path
            .trim()
            .replace(/\s*\[\]$/, '')
            .split('.'),
        ]
      : [];
  });
}

function merged(plan: Plan, index: number, outputs: readonly (Fields | null)[]): Fields | null {
  const fields = new Map<string, Fields | null>();
  for (const edge of plan.incoming[index] ?? []) {
    const output = outputs[plan.source[edge] ?? -1];
    if (!output) return null;
    for (const [name, within] of output) fields.set(name, fields.has(name) ? null : within);
  }
  return fields;
}

const isFilled = (text: unknown): text is string => typeof text === 'string' && text.trim() !== '';
