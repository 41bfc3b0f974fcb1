import { performanceText, type NodeTrace, type Trace, addEntry } from '../jdm/trace.js';
import type { Feel, Run } from '../feel/index.js';
import type { Value } from '../values.js';
import { watch, type Node, type Watcher } from './graph.js';
import { jsonFrom } from './values.js';

/** Calls of one function that a trace shows. */
const mostCalls = 100;

/**
 * The trace of a run, in JDM's form: an entry for each decision, business knowledge model and service that ran. Where one
 * ran more than once, its parts are lists.
 */
export class Tracer implements Watcher {
  readonly trace: Trace = {};
  readonly #run: Run;
  readonly #calls = new Map<string, number>();
  #order = 0;

  constructor(run: Run) {
    this.#run = run;
    watch(run, this);
  }

  begin(node: Node, inputs: () => ReadonlyMap<string, Feel>): (output: Feel) => void {
    const started = performance.now();
    const order = this.#order++;
    const outer = this.#run.note;
    const entries = new Map<string, unknown>();
    this.#run.note = (name, value, isOneOfMany) => {
      const items = isOneOfMany === true ? entries.get(name) : undefined;
      if (Array.isArray(items)) items.push(value);
      else entries.set(name, isOneOfMany === true ? [value] : value);
    };
    return (output) => {
      this.#run.note = outer;
      const calls = (this.#calls.get(node.part.id) ?? 0) + 1;
      this.#calls.set(node.part.id, calls);
      if (calls > mostCalls) return;
      const entry: NodeTrace = {
        id: node.part.id,
        name: node.part.name,
        input: jsonFrom(inputs(), this.#run),
        output: jsonFrom(output, this.#run),
        performance: performanceText(performance.now() - started),
        order,
        // All that is noted are values of FEEL.
        traceData: entries.size === 0 ? null : jsonFrom(entries as ReadonlyMap<string, Feel>, this.#run),
      };
      this.#add(entry, calls);
    };
  }

  #add(entry: NodeTrace, calls: number): void {
    const known = calls === 1 ? undefined : this.trace[entry.id];
    if (known === undefined) {
      addEntry(this.trace, entry.id, entry);
      return;
    }
    for (const part of ['input', 'output', 'traceData'] as const) {
      known[part] = [...(calls === 2 ? [known[part]] : listOf(known[part])), entry[part]];
    }
  }
}

const listOf = (value: Value): Value[] => (Array.isArray(value) ? value : [value]);
