import { checkJson } from '../../../workers/json/index.js';
import {
  itemsStart,
  type ItemLimits,
  type ItemsFound,
  type ItemsSearch,
  type ItemsState,
} from '../../../workers/json/items.js';
import type { ModelWork } from '../../../workers/models/index.js';
import type { RunStopped } from '../../../workers/protocol.js';
import type { Problem } from '../../errors.js';
import { faultText, malformed, maxJsonDepth, requireProcessable, requireUtf8, unread } from './jsonText.js';
import { broken } from './violations.js';

/** An item of a list, as offsets in its body. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** A large body: one JSON object with a list of items. */
export interface ListBody {
  /** The body without its items: one 0 stands for each. */
  readonly frame: unknown;
  readonly items: readonly Span[];
}

interface ListRules {
  /** The name of the list. */
  readonly list: string;
  /** What its items are called in messages. */
  readonly called: string;
  readonly maxItems: number;
  /** What threads check items for; absent where each item is read by a thread later. */
  readonly limits?: ItemLimits;
}

/** Items stand two levels down. */
const levelsAbove = 2;
/** Most bytes of the body besides its items: names, options, and white space in between. */
const maxFrameBytes = 1024 * 1024;

/**
 * Has threads find the items of a list, piece by piece, on the account of its owner; only what stands around the items is
 * parsed here.
 * @param body UTF-8 in shared memory
 * @throws Problem `malformed_json`, `validation_failed`, `overloaded`
 */
export async function readList(
  models: ModelWork,
  owner: string,
  body: Uint8Array,
  rules: ListRules,
): Promise<ListBody> {
  const items = await findItems(models, owner, body, rules);
  return { frame: readFrame(body, items, rules), items };
}

async function findItems(models: ModelWork, owner: string, body: Uint8Array, rules: ListRules): Promise<Span[]> {
  const { list, maxItems, limits } = rules;
  const items: Span[] = [];
  for (let state: ItemsState | null = itemsStart; state !== null;) {
    const search: ItemsSearch = { body, list, state, ...(limits === undefined ? {} : { limits }) };
    const answer: ItemsFound | RunStopped = await models.work<'scan'>(owner, { kind: 'scan', ...search });
    if ('reason' in answer) throw unread(answer);
    const { fault } = answer;
    if (fault !== null)
      throw malformed(faultText(fault, { ...limits, maxDepth: (limits?.maxDepth ?? 0) + levelsAbove }));
    for (let at = 0; at < answer.items.length; at += 2) {
      items.push({ from: answer.items[at] ?? 0, to: answer.items[at + 1] ?? 0 });
    }
    if (items.length > maxItems) throw invalid(`/${list}`, `must have at most ${maxItems} items`);
    ({ state } = answer);
  }
  return items;
}

/** If the frame and each item are JSON, so is the whole body. */
function readFrame(body: Uint8Array, items: readonly Span[], { list, called }: ListRules): unknown {
  const pieces: Uint8Array[] = [];
  const zero = Buffer.from('0');
  let at = 0;
  let bytes = 0;
  for (const { from, to } of [...items, { from: body.length, to: body.length }]) {
    bytes += from - at;
    if (bytes > maxFrameBytes) throw invalid('', `must hold ${called} in \`${list}\`, and little else`);
    pieces.push(body.subarray(at, from));
    if (from < body.length) pieces.push(zero);
    at = to;
  }
  const bytesAround = Buffer.concat(pieces);
  requireUtf8(bytesAround);
  const text = bytesAround.toString('utf8');
  let frame: unknown;
  try {
    frame = JSON.parse(text);
  } catch {
    throw malformed(frameFault(text, items));
  }
  // As of any other body: a message is stored with each version.
  requireProcessable(text, maxJsonDepth);
  const listed = (frame as Readonly<Record<string, unknown>> | null)?.[list];
  if (Array.isArray(listed) && listed.length !== items.length) {
    throw malformed(`The body has \`${list}\` more than once.`);
  }
  return frame;
}

/** Where the frame stops being JSON, as a place in the body. */
function frameFault(text: string, items: readonly Span[]): string {
  const { fault } = checkJson(text, { maxDepth: maxJsonDepth, maxValues: Infinity });
  if (fault?.kind !== 'syntax' || fault.byte === null) return faultText(fault ?? ends, { maxDepth: maxJsonDepth });
  let leftOut = 0;
  for (const { from, to } of items) {
    if (fault.byte <= from - leftOut) break;
    leftOut += to - from - 1;
  }
  return faultText({ kind: 'syntax', byte: fault.byte + leftOut }, { maxDepth: maxJsonDepth });
}

const ends = { kind: 'syntax', byte: null } as const;

const invalid = (pointer: string, message: string): Problem => broken([{ in: 'body', pointer, message }]);
