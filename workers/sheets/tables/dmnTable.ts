import { isRecord } from '../../json/index.js';
import { childOf, childrenOf, readDefinitions, tried, type Element } from '../../engine/index.js';
import { numbersOf } from './dmnNumbers.js';
import { descriptionHead, rulesOf, type FoundTable, type Json } from './tableOfModel.js';

/** A decision table of a DMN document, in the form that sheets know. */
interface FoundDmnTable extends FoundTable {
  readonly element: Element;
  readonly xml: string;
}

/**
 * The table that is all of the logic of a decision or a business knowledge model; undefined where there is none of that id.
 * @param nodeId of that element, or of the table
 */
export function findDmnTable(xml: string, nodeId: string): FoundDmnTable | undefined {
  const parts = partsOf(xml);
  for (const part of parts) {
    const { id, name, element: owner } = part;
    const logic = owner.name === 'businessKnowledgeModel' ? childOf(owner, 'encapsulatedLogic') : owner;
    const element = logic && childOf(logic, 'decisionTable');
    if (element === undefined || (id !== nodeId && element.attributes['id'] !== nodeId)) continue;
    return {
      index: 0,
      node: { id, name },
      content: contentOf(element),
      numbers: numbersOf(element, part, parts),
      element,
      xml,
    };
  }
  return undefined;
}

/** None where it is no document. */
const partsOf = (xml: string): ReturnType<typeof readDefinitions>['parts'] =>
  tried(() => readDefinitions(xml).parts) ?? [];

function contentOf(element: Element): Json {
  const [inputs, outputs] = (['input', 'output'] as const).map((name) => columnsOf(element, name));
  return {
    hitPolicy: element.attributes['hitPolicy'] ?? 'UNIQUE',
    inputs,
    outputs,
    rules: childrenOf(element, 'rule').map((rule): Json => {
      const { id } = rule.attributes;
      const description = textOf(noteOf(rule));
      const cells = [...entriesOf(rule, 'inputEntry', inputs ?? []), ...entriesOf(rule, 'outputEntry', outputs ?? [])];
      return {
        ...(id === undefined ? {} : { _id: id }),
        ...Object.fromEntries(cells),
        ...(description === '' ? {} : { [descriptionHead]: description }),
      };
    }),
  };
}

interface Item extends Json {
  readonly id: string;
  readonly name: string;
}

const columnsOf = (table: Element, kind: 'input' | 'output'): Item[] => {
  const taken = new Set<string>();
  return childrenOf(table, kind).map((column, index): Item => {
    const read = textOf(childOf(column, 'inputExpression')).trim();
    const { name, label } = column.attributes;
    const wanted = (kind === 'input' ? read : name) ?? label ?? '';
    let shown = wanted === '' ? (label ?? kind) : wanted;
    for (let count = 2; taken.has(shown); count++) shown = `${wanted} (${count})`;
    taken.add(shown);
    return { id: `${kind}${index + 1}`, name: shown };
  });
};

const entriesOf = (rule: Element, kind: string, columns: readonly Item[]): [string, string][] => {
  const entries = childrenOf(rule, kind);
  return columns.map(({ id }, index) => [id, textOf(entries[index])]);
};

/** What people note of a rule: its description, else its first annotation. */
const noteOf = (rule: Element): Element | undefined => childOf(rule, 'description') ?? childOf(rule, 'annotationEntry');

/** The text of an entry, or of what has no element for it. */
const textOf = (element: Element | undefined): string =>
  element === undefined ? '' : (childOf(element, 'text') ?? element).text;

/**
 * The document with the table's rules as they are in a content that came of this one: only cells that differ are written, in
 * place, and all other bytes stay.
 */
export function withRules({ content: before, element, xml }: FoundDmnTable, after: Json): string {
  const rules = childrenOf(element, 'rule');
  const old = rulesOf(before);
  const places = new Map(old.map((rule, index) => [rule, index]));
  const byId = new Map(
    old.flatMap((rule, index): [string, number][] => (typeof rule['_id'] === 'string' ? [[rule['_id'], index]] : [])),
  );
  const wanted = rulesOf(after);
  const kept = new Set(wanted.map((rule) => places.get(rule)));
  // Rules without ids are known by their order.
  const nameless = old.flatMap((rule, index) => (typeof rule['_id'] === 'string' || kept.has(index) ? [] : [index]));
  const rows = wanted.map((rule): { readonly from: number | undefined; readonly text: string } => {
    const { _id: id } = rule;
    const from = places.get(rule) ?? (typeof id === 'string' ? byId.get(id) : nameless.shift());
    const source = from === undefined ? undefined : rules[from];
    return source === undefined
      ? { from: undefined, text: newRule(rule, before, tagPrefix(element, xml)) }
      : { from, text: changedRule(source, { xml, before: old[from ?? 0] ?? {}, after: rule }) };
  });
  const isInPlace = rows.length === old.length && rows.every(({ from }, index) => from === index);
  const [first, last] = [rules[0], rules.at(-1)];
  if (first === undefined || last === undefined)
    return withFirstRules(
      element,
      xml,
      rows.map(({ text }) => text),
    );
  if (isInPlace) {
    const splices = rules.map((rule, at): Splice => ({ from: rule.offset, to: rule.end, text: rows[at]?.text ?? '' }));
    return replaced(xml, splices);
  }
  const between = rules[1] === undefined ? indentBefore(xml, first.offset) : xml.slice(first.end, rules[1].offset);
  return replaced(xml, [{ from: first.offset, to: last.end, text: rows.map(({ text }) => text).join(between) }]);
}

function withFirstRules(element: Element, xml: string, rules: readonly string[]): string {
  const last = element.children.at(-1);
  if (last === undefined || rules.length === 0) return xml;
  const indent = indentBefore(xml, last.offset);
  return replaced(xml, [{ from: last.end, to: last.end, text: rules.map((rule) => indent + rule).join('') }]);
}

/** Line end and blanks before an element. */
const indentBefore = (xml: string, offset: number): string => /\r?\n?[ \t]*$/.exec(xml.slice(0, offset))?.[0] ?? '';

interface Change {
  readonly xml: string;
  readonly before: Json;
  readonly after: Json;
}

/** The rule's own text with the cells that differ. */
function changedRule(rule: Element, { xml, before, after }: Change): string {
  const splices: Splice[] = [];
  for (const kind of ['input', 'output'] as const) {
    for (const [index, entry] of childrenOf(rule, `${kind}Entry`).entries()) {
      const id = `${kind}${index + 1}`;
      if (before[id] !== after[id]) splices.push(cellSplice(entry, cellText(after[id], kind), xml));
    }
  }
  const [old, now] = [before, after].map((cells) => cellText(cells[descriptionHead], 'output'));
  if (old !== now) splices.push(noteSplice(rule, now ?? '', xml));
  const inner = splices.map(({ from, to, text }) => ({ from: from - rule.offset, to: to - rule.offset, text }));
  return replaced(xml.slice(rule.offset, rule.end), inner);
}

/** An empty condition is FEEL's `-`. */
const cellText = (value: unknown, kind: 'input' | 'output'): string => {
  const text = typeof value === 'string' ? value : '';
  return kind === 'input' && text.trim() === '' ? '-' : text;
};

function cellSplice(entry: Element, text: string, xml: string): Splice {
  const holder = childOf(entry, 'text');
  if (holder !== undefined) {
    const { open, name } = elementParts(xml.slice(holder.offset, holder.end));
    return { from: holder.offset, to: holder.end, text: `${open}${escapedText(text)}</${name}>` };
  }
  const { open, name } = elementParts(xml.slice(entry.offset, entry.end));
  const inner = `<${prefixOf(name)}text>${escapedText(text)}</${prefixOf(name)}text>`;
  return { from: entry.offset, to: entry.end, text: `${open}${inner}</${name}>` };
}

function noteSplice(rule: Element, text: string, xml: string): Splice {
  const known = noteOf(rule);
  if (known?.name === 'annotationEntry') return cellSplice(known, text, xml);
  const { name } = elementParts(xml.slice(rule.offset, rule.end));
  const made = text === '' ? '' : `<${prefixOf(name)}description>${escapedText(text)}</${prefixOf(name)}description>`;
  if (known !== undefined) return { from: known.offset, to: known.end, text: made };
  // It stands first in a rule.
  const at = rule.children[0]?.offset ?? rule.end;
  return { from: at, to: at, text: made };
}

const prefixOf = (name: string): string => (name.includes(':') ? `${name.split(':')[0] ?? ''}:` : '');
const tagPrefix = ({ offset, end }: Element, xml: string): string =>
  prefixOf(elementParts(xml.slice(offset, end)).name);

function newRule(rule: Json, content: Json, prefix: string): string {
  const id = typeof rule['_id'] === 'string' ? rule['_id'] : '';
  const element = (name: string, inner: string, attributes = ''): string =>
    `<${prefix}${name}${attributes}>${inner}</${prefix}${name}>`;
  const cells = (['input', 'output'] as const).flatMap((kind) =>
    (content[`${kind}s`] as readonly Item[]).map((column) =>
      element(`${kind}Entry`, element('text', escapedText(cellText(rule[column.id], kind)))),
    ),
  );
  const description = rule[descriptionHead];
  const about =
    typeof description === 'string' && description !== '' ? element('description', escapedText(description)) : '';
  return element('rule', about + cells.join(''), ` id="${attributeText(/^[A-Za-z_]/.test(id) ? id : `_${id}`)}"`);
}

const attributeText = (text: string): string => escapedText(text).replaceAll('"', '&quot;');

/** Why a sheet's columns cannot be taken: those of DMN are typed and read by expressions. */
export const changesColumns = (before: Json, after: Json): boolean =>
  (['inputs', 'outputs'] as const).some((kind) => {
    const [old, now] = [before, after].map((content) =>
      (Array.isArray(content[kind]) ? content[kind] : []).map((item) => (isRecord(item) ? item['id'] : '')),
    );
    return JSON.stringify(old) !== JSON.stringify(now);
  });

/** A part of a text, and what is to stand there. */
interface Splice {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** The text with its parts replaced, which do not overlap. */
function replaced(text: string, splices: readonly Splice[]): string {
  const made: string[] = [];
  let at = 0;
  for (const { from, to, text: own } of [...splices].sort((one, other) => one.from - other.from)) {
    made.push(text.slice(at, from), own);
    at = to;
  }
  return made.join('') + text.slice(at);
}

const startTag = /^<([^\s/>]+)((?:[^"'>/]|"[^"]*"|'[^']*'|\/(?!>))*)\/?>/;

/** The start tag of an element, with a place for what it holds, and its name as written. */
function elementParts(source: string): { readonly open: string; readonly name: string } {
  const [, name = '', attributes = ''] = startTag.exec(source) ?? [];
  return { open: `<${name}${attributes.trimEnd()}>`, name };
}

/** A text as XML holds it; characters that XML has none of are left out. */
const escapedText = (text: string): string =>
  text
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('\r', '&#13;');
