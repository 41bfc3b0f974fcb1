import type { ScanAnswer, ScanState } from './tasks.js';

/** Bytes between two looks at the clock. */
const pieceBytes = 65_536;
/** Milliseconds that one task may take. */
const budgetMs = 5;

export const scanStart: ScanState = {
  at: 0,
  depth: 0,
  inString: false,
  escaped: false,
  stringFrom: -1,
  stringTo: -1,
  isDecisions: false,
  inList: false,
  itemFrom: -1,
  itemTo: -1,
};

type Mutable = { -readonly [K in keyof ScanState]: ScanState[K] };

/**
 * Finds where the items of the member `decisions` begin and end in a JSON object, by its brackets, commas and strings
 * alone. It does not validate: faults lie within an item or around all of them, where parsing finds them.
 * @param now milliseconds
 */
export function scan(body: Uint8Array, from: ScanState, now = (): number => performance.now()): ScanAnswer {
  const state: Mutable = { ...from };
  const items: number[] = [];
  for (const end = now() + budgetMs; state.at < body.length;) {
    scanPiece(body, state, Math.min(body.length, state.at + pieceBytes), items);
    if (now() > end) break;
  }
  return { state: state.at < body.length ? state : null, items };
}

function scanPiece(body: Uint8Array, state: Mutable, end: number, items: number[]): void {
  for (; state.at < end; state.at++) {
    const byte = body[state.at] ?? 0;
    if (state.inString) {
      endString(state, byte);
      continue;
    }
    if (byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09) continue;
    const isInItems = state.inList && state.depth === 2;
    if (isInItems && (byte === comma || byte === closeList || byte === closeObject)) endItem(state, items);
    else if (isInItems && state.itemFrom === -1) state.itemFrom = state.at;
    takeSign(body, state, byte);
    if (state.itemFrom !== -1) state.itemTo = state.at + 1;
  }
}

const quote = 0x22;
const backslash = 0x5c;
const colon = 0x3a;
const comma = 0x2c;
const openList = 0x5b;
const closeList = 0x5d;
const openObject = 0x7b;
const closeObject = 0x7d;

function endString(state: Mutable, byte: number): void {
  if (state.escaped) state.escaped = false;
  else if (byte === backslash) state.escaped = true;
  else if (byte === quote) {
    state.inString = false;
    if (state.depth === 1) state.stringTo = state.at + 1;
  }
  if (state.itemFrom !== -1) state.itemTo = state.at + 1;
}

function endItem(state: Mutable, items: number[]): void {
  if (state.itemFrom !== -1) items.push(state.itemFrom, state.itemTo);
  state.itemFrom = -1;
}

function takeSign(body: Uint8Array, state: Mutable, byte: number): void {
  switch (byte) {
    case quote:
      state.inString = true;
      if (state.depth === 1) state.stringFrom = state.at;
      break;
    case openList:
      if (state.depth === 1 && state.isDecisions) state.inList = true;
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
      if (state.depth === 1) state.isDecisions = isDecisions(body, state);
      break;
    case comma:
      if (state.depth === 1) state.isDecisions = false;
      break;
  }
}

/** More than the name takes with each of its characters escaped, and quotes around it. */
const longestName = 6 * 'decisions'.length + 2;

/** Whether the last string is that name, however it is escaped. */
function isDecisions(body: Uint8Array, { stringFrom, stringTo }: ScanState): boolean {
  if (stringFrom === -1 || stringTo - stringFrom > longestName) return false;
  const text = new TextDecoder().decode(body.slice(stringFrom, stringTo));
  try {
    return JSON.parse(text) === 'decisions';
  } catch {
    return false;
  }
}
