import {
  EngineError,
  subDecisionKeys,
  subDecisionNames,
  validate,
  type Diagnostic,
  type Limits,
} from '../engine/index.js';
import { documentFrom, readDocument, type Document, type UnreadDiagnostic } from './document.js';
import { isRecord, parseExactly } from '../json/index.js';
import { modelLimits } from './limits.js';
import type { CheckAnswer, CheckedItem, CheckTask, ModelCheck } from './tasks.js';

interface CheckLimits {
  readonly limits: Limits;
  /** Milliseconds that are left for the checks. */
  readonly timeLimitMs: number;
}

/** Reads and checks one model. Never throws for what it holds. */
export function checkModel({ text, isItem }: CheckTask, limits: CheckLimits): CheckAnswer {
  if (isItem) return checkItem(typeof text === 'string' ? text : decoded(text), limits);
  const read = readDocument(typeof text === 'string' ? Buffer.from(text) : text);
  return { item: null, ...checked(read, limits) };
}

function checkItem(text: string | undefined, limits: CheckLimits): CheckAnswer {
  let value: unknown;
  try {
    if (text === undefined) return unread('it is not UTF-8 text');
    value = JSON.parse(text);
  } catch (error) {
    return unread((error as Error).message);
  }
  const item = itemOf(value);
  if (item.content !== 'object') return { item, document: null, check: nothing };
  const { content } = value as { content: object };
  const exact = (): unknown => (parseExactly(text, value) as { content: unknown }).content;
  return { item, ...checked(documentFrom(content, exact), limits) };
}

function decoded(bytes: Uint8Array): string | undefined {
  try {
    // A decoder takes no shared memory in every version of Node.
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes.slice());
  } catch {
    return undefined;
  }
}

const nothing: ModelCheck = { diagnostics: [], references: [], subDecisions: [] };
const maxOthers = 10;

const noItem: CheckedItem = { syntax: undefined, isObject: false, key: undefined, content: 'absent', others: [] };

const unread = (syntax: string): CheckAnswer => ({ item: { ...noItem, syntax }, document: null, check: nothing });

function itemOf(value: unknown): CheckedItem {
  if (!isRecord(value)) return noItem;
  const { key, content, ...others } = value;
  return {
    syntax: undefined,
    isObject: true,
    key: key === undefined || typeof key === 'string' ? key : null,
    content: content === undefined ? 'absent' : isRecord(content) ? 'object' : 'other',
    others: Object.keys(others).slice(0, maxOthers),
  };
}

function checked(
  read: { document: Document } | UnreadDiagnostic,
  limits: CheckLimits,
): Pick<CheckAnswer, 'document' | 'check'> {
  if ('diagnostic' in read) return { document: null, check: { ...nothing, diagnostics: [read.diagnostic] } };
  const { hash, text } = read.document;
  return { document: { hash, text: Buffer.from(text) }, check: checkDocument(read.document, limits) };
}

function checkDocument({ model, text }: Document, { limits, timeLimitMs }: CheckLimits): ModelCheck {
  const found = attempt(() =>
    validate(model, { knows: () => false, limits, timeLimitMs: Math.min(timeLimitMs, modelLimits.checkMs) }),
  );
  const names = subDecisionNames(model);
  const diagnostics = bounded(found, text.length);
  const references = diagnostics.flatMap((diagnostic, index) => {
    const name = diagnostic.code === 'decision_missing' ? names.get(diagnostic.nodeId ?? '') : undefined;
    return name === undefined || name === '' ? [] : [{ name, diagnostic: index }];
  });
  return { diagnostics, references, subDecisions: subDecisionKeys(model) };
}

/** Diagnostics of one model. */
const mostDiagnostics = 10_000;
/** Characters of their texts, and how many more for each of the model. */
const [freeLength, lengthPerUnit] = [4 * 1024 * 1024, 2];

/**
 * The first of so many diagnostics that they can leave the thread: each has the id and the name of its node and all of its source, and
 * in thousands of them a name of a megabyte would be gigabytes. Errors go first, and of them those that hold for certain. What is left
 * out is told, as an error if any of it is one, so that no model passes for want of room.
 */
function bounded(diagnostics: readonly Diagnostic[], length: number): readonly Diagnostic[] {
  let room = freeLength + lengthPerUnit * length;
  const weight = (each: Diagnostic): number =>
    Object.values(each).reduce((sum: number, part) => sum + (typeof part === 'string' ? part.length : 0), 0);
  const all = diagnostics.reduce((sum, each) => sum + weight(each), 0);
  if (diagnostics.length <= mostDiagnostics && all <= room) return diagnostics;
  const rank = ({ severity, code }: Diagnostic): number =>
    severity === 'warning' ? 2 : code === 'decision_missing' ? 1 : 0;
  const ranked = diagnostics.toSorted((one, other) => rank(one) - rank(other));
  const end = ranked.findIndex((each, at) => at === mostDiagnostics || ((room -= weight(each)) < 0 && at > 0));
  const others = ranked.slice(end);
  const isHarmless = others.every(({ severity }) => severity === 'warning');
  const last: Diagnostic = {
    code: 'model_invalid',
    message: `There are ${others.length} more faults, which are not listed.`,
    hint: 'Mend those that are listed first.',
    ...(isHarmless ? { severity: 'warning' } : {}),
  };
  return [...ranked.slice(0, end), last];
}

function attempt(find: () => Diagnostic[]): Diagnostic[] {
  try {
    return find();
  } catch (error) {
    if (error instanceof EngineError) return [error.toDiagnostic()];
    throw error;
  }
}
