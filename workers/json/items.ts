import { checkJson, type JsonFault } from './check.js';
import { Tokens } from './tokens.js';

/** Bytes between two looks at the clock. */
const pieceBytes = 65_536;
/** Milliseconds that one call may take. */
const budgetMs = 5;

/** Where a search stands: offsets are bytes. */
export interface ItemsState {
  readonly at: number;
  readonly depth: number;
  readonly inString: boolean;
  /** The last string of the outermost object; -1 where there is none. */
  readonly stringFrom: number;
  readonly stringTo: number;
  /** The member that comes next, or is being read, is the list. */
  readonly isList: boolean;
  readonly inList: boolean;
  /** The item that is being read; -1 between two. */
  readonly itemFrom: number;
  /** After the last character of it that is no white space. */
  readonly itemTo: number;
  /** Values of the items that were checked. */
  readonly values: number;
}

export const itemsStart: ItemsState = {
  at: 0,
  depth: 0,
  inString: false,
  stringFrom: -1,
  stringTo: -1,
  isList: false,
  inList: false,
  itemFrom: -1,
  itemTo: -1,
  values: 0,
};

/** What items may be. */
export interface ItemLimits {
  /** Larger ones are left unread. */
  readonly maxBytes: number;
  readonly maxDepth: number;
  /** Of all of them together. */
  readonly maxValues: number;
}

/** Items of the list that is a member of the outermost object, in its UTF-8. */
export interface ItemsSearch {
  /** In memory that its owner shares with the thread. */
  readonly body: Uint8Array;
  readonly list: string;
  readonly state: ItemsState;
  /** Items are read, too; absent where who gets them reads them. */
  readonly limits?: ItemLimits;
}

export interface ItemsFound {
  /** Null at the end of the body, and where there is a fault. */
  readonly state: ItemsState | null;
  /** Begin and end of each item that was found, one after the other. */
  readonly items: readonly number[];
  /** Of an item; offsets are those of the body. */
  readonly fault: JsonFault | null;
}

type Mutable = { -readonly [K in keyof ItemsState]: ItemsState[K] };

/**
 * Finds where the items of a list begin and end in a JSON object, by its brackets, commas and strings alone, for some
 * milliseconds. It validates no more than the items: other faults lie around all of them, where parsing finds them.
 * @param now milliseconds
 */
export function scanItems(search: ItemsSearch, now = (): number => performance.now()): ItemsFound {
  const { body, list, limits } = search;
  const state: Mutable = { ...search.state };
  const items: number[] = [];
  for (const end = now() + budgetMs; state.at < body.length;) {
    const known = items.length;
    scanPiece({ body, list }, state, items);
    const fault = limits === undefined ? null : faultIn(body, items.slice(known), limits, state);
    if (fault !== null) return { state: null, items, fault };
    if (now() > end) break;
  }
  return { state: state.at < body.length ? state : null, items, fault: null };
}

/** Of UTF-8; a decoder takes no shared memory in every version of Node, so it is given copies. */
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

function faultIn(body: Uint8Array, items: readonly number[], limits: ItemLimits, state: Mutable): JsonFault | null {
  for (let at = 0; at < items.length; at += 2) {
    const [from = 0, to = 0] = items.slice(at, at + 2);
    if (to - from > limits.maxBytes) continue;
    const text = decoder.decode(body.slice(from, to));
    const checked = checkJson(text, { maxDepth: limits.maxDepth, maxValues: limits.maxValues - state.values });
    if (checked.fault !== null)
      return checked.fault.kind === 'syntax'
        ? { kind: 'syntax', byte: from + (checked.fault.byte ?? to - from) }
        : checked.fault;
    state.values += checked.values;
  }
  return null;
}

type Where = Pick<ItemsSearch, 'body' | 'list'>;

function scanPiece(where: Where, state: Mutable, items: number[]): void {
  const { body } = where;
  const from = state.at;
  const to = Math.min(body.length, from + pieceBytes);
  // A character a byte: what brackets, commas and quotes are made of is ASCII, and no other byte of UTF-8 is.
  const piece = Buffer.from(body.buffer, body.byteOffset + from, to - from).toString('latin1');
  const tokens = new Tokens(piece, state.inString);
  if (state.inString) endString(state, tokens, from);
  while (!state.inString && tokens.next()) {
    const { code } = tokens;
    const at = from + tokens.start;
    const isInItems = state.inList && state.depth === 2;
    if (isInItems && (code === comma || code === closeList || code === closeObject)) endItem(state, items);
    else if (isInItems && state.itemFrom === -1) state.itemFrom = at;
    if (code === quote) {
      if (state.depth === 1) state.stringFrom = at;
      endString(state, tokens, from);
    } else takeSign(where, state, code);
    if (state.itemFrom !== -1) state.itemTo = from + tokens.end;
  }
  state.at = state.inString && to < body.length ? from + tokens.end : to;
}

const quote = 0x22;
const colon = 0x3a;
const comma = 0x2c;
const openList = 0x5b;
const closeList = 0x5d;
const openObject = 0x7b;
const closeObject = 0x7d;

/** @param from where the piece begins that the string ends in, or is cut off by */
function endString(state: Mutable, { isCut, end }: Tokens, from: number): void {
  state.inString = isCut;
  if (state.itemFrom !== -1) state.itemTo = from + end;
  if (state.depth === 1) state.stringTo = from + end;
}

function endItem(state: Mutable, items: number[]): void {
  if (state.itemFrom !== -1) items.push(state.itemFrom, state.itemTo);
  state.itemFrom = -1;
}

function takeSign(where: Where, state: Mutable, code: number): void {
  switch (code) {
    case openList:
      if (state.depth === 1 && state.isList) state.inList = true;
      state.depth++;
      break;
    case openObject:
      state.depth++;
      break;
    case closeList:
    case closeObject:
      state.depth--;
      if (state.depth <= 1) state.inList = false;
      break;
    case colon:
      if (state.depth === 1) state.isList = isList(where, state);
      break;
    case comma:
      if (state.depth === 1) state.isList = false;
      break;
  }
}

/** Whether the last string is the list's name, however it is escaped. */
function isList({ body, list }: Where, { stringFrom, stringTo }: ItemsState): boolean {
  // Each of its characters may be an escape of six.
  if (stringFrom === -1 || stringTo - stringFrom > 6 * list.length + 2) return false;
  const text = new TextDecoder().decode(body.slice(stringFrom, stringTo));
  try {
    return JSON.parse(text) === list;
  } catch {
    return false;
  }
}
