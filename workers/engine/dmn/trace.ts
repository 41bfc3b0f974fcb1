import { asEngineError, shortened } from '../errors.js';
import { performanceText, traceError, type NodeTrace, type Trace, addEntry } from '../jdm/trace.js';
import type { Feel, Run } from '../feel/index.js';
import type { Value } from '../values.js';
import { watch } from './graph.js';
import { jsonFrom, type Made } from './values.js';

/** Calls of one function that a trace shows. */
const mostCalls = 100;

/**
 * The trace of a run that begins, in JDM's form: an entry for each decision, business knowledge model and service that ran.
 * Where one ran more than once, its parts are lists.
 */
export function tracedFrom(run: Run, tell: (message: string) => string = shortened): Trace {
  const trace: Trace = {};
  const calls = new Map<string, number>();
  let begun = 0;
  watch(run, ({ part: { id, name } }, inputs) => {
    const started = performance.now();
    const order = begun++;
    const outer = run.note;
    const entries = new Map<string, unknown>();
    run.note = noting(entries);
    return (output, error) => {
      run.note = outer;
      const count = (calls.get(id) ?? 0) + 1;
      calls.set(id, count);
      if (count > mostCalls) return;
      // What input, output and entries share is made into JSON once.
      const made: Made = new Map();
      const values = (): Pick<NodeTrace, 'input' | 'output' | 'traceData'> => ({
        ...{ input: jsonFrom(inputs(), run, made), output: jsonFrom(output, run, made) },
        // All that is noted are values of FEEL.
        traceData: entries.size === 0 ? null : jsonFrom(entries as ReadonlyMap<string, Feel>, run, made),
      });
      const entry = {
        ...{ id, name, ...(error === undefined ? values() : valuesIfAny(values)) },
        ...{ performance: performanceText(performance.now() - started), order },
        ...(error === undefined
          ? {}
          : { error: traceError({ ...error.toDiagnostic(), message: tell(error.message) }) }),
      };
      add(trace, entry, count);
    };
  });
  return trace;
}

/** Of an element that a limit ended there may be nothing left to show its values with. */
function valuesIfAny(values: () => Pick<NodeTrace, 'input' | 'output' | 'traceData'>) {
  try {
    return values();
  } catch (error) {
    if (asEngineError(error) === undefined) throw error;
    return { input: null, output: null, traceData: null, truncated: true as const };
  }
}

const noting =
  (entries: Map<string, unknown>): NonNullable<Run['note']> =>
  (name, value, isOneOfMany) => {
    const items = isOneOfMany === true ? entries.get(name) : undefined;
    if (Array.isArray(items)) items.push(value);
    else entries.set(name, isOneOfMany === true ? [value] : value);
  };

function add(trace: Trace, entry: NodeTrace, count: number): void {
  const known = count === 1 ? undefined : trace[entry.id];
  if (known === undefined) {
    addEntry(trace, entry.id, entry);
    return;
  }
  for (const part of ['input', 'output', 'traceData'] as const)
    known[part] = [...(count === 2 ? [known[part]] : listOf(known[part])), entry[part]];
}

const listOf = (value: Value): Value[] => (Array.isArray(value) ? value : [value]);
