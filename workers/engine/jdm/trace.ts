import type { Diagnostic } from '../errors.js';
import type { NearestRow } from '../nodes/nodeType.js';
import type { Value } from '../values.js';
import type { JsonTexts } from '../zen/values/json.js';
import { own, setKey } from '../zen/values/objects.js';
import { jsonSize, exactJsonSize, withoutReserved, type JsonSize } from './jsonSize.js';

/** What a trace shows of a node that failed; the node itself is known there. */
type TraceError = { code: string; message: string; field?: string; span?: number[] };

/**
 * What a trace shows of one node. Values of a run are never changed, so that holding them is a snapshot.
 * A type, because only types count as `Value`s.
 */
export type NodeTrace = {
  id: string;
  name: string;
  /** Null for the input node. */
  input: Value;
  /** Null for the output node, and for a node that failed. */
  output: Value;
  /** `0.123ms`. */
  performance: string;
  /** Its index in the order of running. */
  order: number;
  traceData: Value;
  error?: TraceError;
  /** Some of input, output and traceData was left out, because the trace is too large. */
  truncated?: true;
  /** No row of a table matched: its data alone could be that of any node. */
  unmatched?: true;
  /** Of such a table: the row of which the fewest conditions failed. */
  nearest?: NearestRow;
  /** Rows of a table whose conditions held, and whose results could not be computed, so that the run went on: the first of them. */
  passedOver?: (TraceError & { index: number })[];
};

/** A trace, by node id. */
export type Trace = Record<string, NodeTrace>;

/** Milliseconds as in answers: `0.123ms`. */
export function performanceText(milliseconds: number): string {
  return `${Math.round(milliseconds * 1000) / 1000}ms`;
}

/** The part of a diagnostic that a trace shows. */
export function traceError({ code, message, field, span }: Diagnostic): TraceError {
  return {
    code,
    message,
    ...(field === undefined ? {} : { field }),
    ...(span === undefined ? {} : { span: [...span] }),
  };
}

/**
 * Readies a trace for the answer: without `$nodes`, and of at most `limit` bytes as JSON text. Where it would be
 * larger, parts of its nodes become null, those of later nodes first, and the node says so with `truncated: true`;
 * nodes whose bare entries are too many are left out. `plain` as in outcomes.
 */
export function finishTrace(trace: Trace, limit: number): { readonly trace: Trace; readonly plain: boolean } {
  const whole = measureEntries(trace, limit) ?? exactJsonSize(trace, limit);
  if (whole === undefined) return { trace: cut(trace, limit), plain: false };
  return { trace: whole.reserved ? mapEntries(trace, cleaned) : trace, plain: whole.plain };
}

/**
 * JSON text of a trace. Nodes pass values on to each other and to the result: `texts` keeps their texts, so that each
 * is made once.
 */
export function traceText(trace: Trace, texts: JsonTexts): string {
  let text = '';
  for (const id in trace) {
    const entry = trace[id];
    if (entry !== undefined) text += `${text === '' ? '{' : ','}${entryText(entry, texts)}`;
  }
  return text === '' ? '{}' : `${text}}`;
}

function entryText(entry: NodeTrace, texts: JsonTexts): string {
  const id = JSON.stringify(entry.id);
  const error = entry.error === undefined ? '' : `,"error":${JSON.stringify(entry.error)}`;
  return (
    `${id}:{"id":${id},"name":${JSON.stringify(entry.name)},` +
    `"input":${texts.of(entry.input)},"output":${texts.of(entry.output)},` +
    `"performance":"${entry.performance}","order":${entry.order},"traceData":${texts.of(entry.traceData)}` +
    `${error}${entry.truncated === true ? ',"truncated":true' : ''}${entry.unmatched === true ? ',"unmatched":true' : ''}` +
    (entry.nearest === undefined ? '' : `,"nearest":${JSON.stringify(entry.nearest)}`) +
    `${entry.passedOver === undefined ? '' : `,"passedOver":${JSON.stringify(entry.passedOver)}`}}`
  );
}

/** Bytes of an entry beside its parts, its id and its name. */
const frameBytes = 160;

/** Measures a trace quickly: a value that nodes pass on unchanged is measured once. */
function measureEntries(trace: Trace, limit: number): JsonSize | undefined {
  let last: Value = null;
  let lastSize: JsonSize = { bytes: 4, reserved: false, plain: true };
  let bytes = 2;
  let reserved = false;
  let plain = true;
  for (const entry of Object.values(trace)) {
    const { error = null, passedOver = null, nearest = null } = entry;
    const isTold = error !== null || passedOver !== null || nearest !== null;
    const told = isTold ? JSON.stringify([error, passedOver, nearest]).length * 3 : 0;
    bytes += frameBytes + entry.id.length * 12 + entry.name.length * 6 + told;
    for (const part of [entry.input, entry.traceData, entry.output]) {
      const size = part === last ? lastSize : jsonSize(part, limit);
      if (size === undefined) return undefined;
      last = part;
      lastSize = size;
      bytes += size.bytes;
      reserved ||= size.reserved;
      plain &&= size.plain;
    }
    if (bytes > limit) return undefined;
  }
  return { bytes, reserved, plain };
}

function mapEntries(trace: Trace, change: (entry: NodeTrace) => NodeTrace): Trace {
  const changed: Trace = {};
  for (const [id, entry] of Object.entries(trace)) addEntry(changed, id, change(entry));
  return changed;
}

/** Adds a node's entry, whatever its id. */
export function addEntry(trace: Trace, id: string, entry: NodeTrace): void {
  setKey(trace, id, entry);
}

/** The indexes of the rows in a table's trace: of one row, of several, or of the rounds of a loop; DMN has them as `rules`. */
export function rowsIn(data: Value): number[] {
  if (Array.isArray(data)) return data.flatMap(rowsIn);
  const rules = own(data, 'rules');
  if (Array.isArray(rules)) return rowsIn(rules);
  const index = own(data, 'index');
  return typeof index === 'number' ? [index] : [];
}

/** Only values are cleaned: a node may have any id. */
function cleaned(entry: NodeTrace): NodeTrace {
  const { input, output, traceData } = entry;
  return {
    ...entry,
    input: withoutReserved(input),
    output: withoutReserved(output),
    traceData: withoutReserved(traceData),
  };
}

/** Keeps the bare entries of all nodes first, then as many of their parts as there is room for. */
function cut(trace: Trace, limit: number): Trace {
  const kept: Trace = {};
  let left = limit - 2;
  for (const [id, entry] of Object.entries(trace)) {
    const bare: NodeTrace = { ...entry, input: null, output: null, traceData: null, truncated: true };
    const size = exactJsonSize({ [id]: bare }, left);
    if (size === undefined) break;
    left -= size.bytes;
    addEntry(kept, id, bare);
  }
  return mapEntries(kept, (bare) => {
    const entry = trace[bare.id];
    if (entry === undefined) return bare;
    const restored = { ...bare };
    let whole = true;
    for (const part of ['output', 'traceData', 'input'] as const) {
      const size = exactJsonSize(entry[part], left);
      if (size === undefined) {
        whole = false;
        continue;
      }
      left -= size.bytes;
      restored[part] = size.reserved ? withoutReserved(entry[part]) : entry[part];
    }
    if (whole && entry.truncated !== true) delete restored.truncated;
    return restored;
  });
}
