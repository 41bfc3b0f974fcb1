import { shortStep } from '../../../workers/json/index.js';
import type { CheckAnswer, ModelWork } from '../../../workers/models/index.js';
import type { RunStopped } from '../../../workers/protocol.js';
import { Problem, type Violation } from '../../errors.js';
import { readList, type Span } from '../../http/body/listItems.js';
import { broken } from '../../http/body/violations.js';
import {
  checkBytes,
  eachOf,
  requireWanted,
  stoppedDiagnostic,
  type Caller,
  type Candidate,
} from '../writing/checkContents.js';
import type { ModelDiagnostic } from '../diagnostics.js';
import { readKey } from '../keys.js';
import { importLimits } from '../limits.js';
import { retryWhileOverloaded } from '../../storage/retryWhileOverloaded.js';

/** What a large body with models holds. */
export interface Bulk {
  /** The body without its models: one 0 stands for each. */
  readonly options: unknown;
  readonly candidates: readonly Candidate[];
  /** Diagnostics of items without a model that could be stored. */
  readonly unread: readonly ModelDiagnostic[];
}

const maxViolations = 50;

/**
 * Reads the models of a body, `{decisions: [{key, content}], …}`. Worker threads do the long work piece by piece, on
 * the workspace's account; the normalised models are stored in the body's own memory.
 * @throws Problem `malformed_json`, `validation_failed`, `overloaded`
 */
export async function readBulk(work: ModelWork, caller: Required<Caller>, body: Uint8Array): Promise<Bulk> {
  const { workspaceId, reservation } = caller;
  const wanted = piecesFor(work, caller);
  const rules = { list: 'decisions', called: 'models', maxItems: importLimits.files };
  const { items, frame } = await readList(wanted, workspaceId, body, rules);
  reservation.grow(items.length * bytesPerItem);
  const violations: Violation[] = [];
  const unread: ModelDiagnostic[] = [];
  const keys = new Map<string, number>();
  const found = await eachOf(items, async ({ from, to }, index) => {
    if (violations.length >= maxViolations) return undefined;
    const answer = await wanted.work(workspaceId, { kind: 'check', text: body.subarray(from, to), isItem: true });
    const read = candidateOf(answer, { body, from, to, index, keys });
    reservation.grow(heldBytes(read, body));
    violations.push(...read.violations);
    unread.push(...read.unread);
    return read.candidate;
  });
  if (violations.length > 0) throw broken(violations.slice(0, maxViolations));
  return { options: frame, candidates: found.filter((candidate) => candidate !== undefined), unread };
}

/** Estimated bytes of one item besides its texts. */
const bytesPerItem = 500;

/** What an item holds besides the body: diagnostics, names, and a text that did not fit in there. */
function heldBytes({ candidate, unread }: ReadItem, body: Uint8Array): number {
  const text = candidate?.document.text ?? body;
  const own = typeof text === 'string' || text.buffer === body.buffer ? 0 : text.length;
  return own + (candidate?.check === undefined ? 0 : checkBytes(candidate.check)) + unread.length * bytesPerItem;
}

interface Position extends Span {
  readonly body: Uint8Array;
  readonly index: number;
  /** The keys of the items before, each with the index of its item. */
  readonly keys: Map<string, number>;
}

interface ReadItem {
  readonly candidate: Candidate | undefined;
  readonly violations: readonly Violation[];
  readonly unread: readonly ModelDiagnostic[];
}

function candidateOf(answer: CheckAnswer | RunStopped, position: Position): ReadItem {
  const { index, keys } = position;
  if ('reason' in answer) {
    const key = `decisions/${index}`;
    return { candidate: undefined, violations: [], unread: [{ key, diagnostic: stoppedDiagnostic(answer) }] };
  }
  const { item, document, check } = answer;
  if (item?.syntax !== undefined) {
    throw new Problem('malformed_json', `The body is not JSON: in item ${index} of \`decisions\`, ${item.syntax}.`);
  }
  const violations = violationsOf(answer, index);
  const named = readKey(item?.key ?? '');
  if ('fault' in named) {
    if (typeof item?.key === 'string') violations.push(violation(index, '/key', named.fault));
    return { candidate: undefined, violations, unread: [] };
  }
  const { key } = named;
  const other = keys.get(key) ?? index;
  // Whichever was read first, the later one is at fault.
  const first = Math.min(index, other);
  if (other !== index) violations.push(violation(Math.max(index, other), '/key', `is the key of item ${first} too`));
  keys.set(key, first);
  if (document === null) {
    return { candidate: undefined, violations, unread: check.diagnostics.map((diagnostic) => ({ key, diagnostic })) };
  }
  const text = keptIn(position, document.text);
  return { candidate: { key, document: { hash: document.hash, text }, check }, violations, unread: [] };
}

/** Writes the text over its source where it fits, so that it takes no further memory. */
function keptIn({ body, from, to }: Position, text: Uint8Array): Uint8Array {
  if (text.length > to - from) return text;
  body.set(text, from);
  return body.subarray(from, from + text.length);
}

function violationsOf({ item }: CheckAnswer, index: number): Violation[] {
  if (item === null) return [];
  if (!item.isObject) return [violation(index, '', 'must be object')];
  const found = item.others.map((name) => violation(index, shortStep(name), 'is not a known field'));
  if (item.key === undefined) found.push(violation(index, '/key', 'is required'));
  if (item.key === null) found.push(violation(index, '/key', 'must be string'));
  if (item.content === 'absent') found.push(violation(index, '/content', 'is required'));
  if (item.content === 'other') found.push(violation(index, '/content', 'must be object'));
  return found;
}

const violation = (index: number, pointer: string, message: string): Violation => ({
  in: 'body',
  pointer: `/decisions/${index}${pointer}`,
  message,
});

/**
 * Begins no further piece once the caller has gone away. A piece that finds no thread is tried again: an import is many pieces, and
 * must not fail because one was refused.
 */
const piecesFor = (work: ModelWork, caller: Required<Caller>): ModelWork => ({
  work(workspaceId, task) {
    requireWanted(caller);
    return retryWhileOverloaded(caller.gone, () => work.work(workspaceId, task));
  },
});
