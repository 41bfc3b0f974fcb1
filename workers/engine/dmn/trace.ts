import { performanceText, type NodeTrace, type Trace, addEntry } from '../jdm/trace.js';
import type { Feel, Run } from '../feel/index.js';
import type { Value, ValueObject } from '../values.js';
import { setKey } from '../zen/values/objects.js';
import type { Node, Watcher } from './graph.js';
import { jsonFrom } from './values.js';

/** Calls of one function that a trace shows. */
const mostCalls = 100;

type Detail =
  | { readonly kind: 'table'; readonly hitPolicy: string; readonly rules: readonly { index: number; id: string }[] }
  | { readonly kind: 'entries'; readonly entries: ReadonlyMap<string, Feel> };

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
  }

  begin(node: Node, inputs: () => ReadonlyMap<string, Feel>): (output: Feel) => void {
    const started = performance.now();
    const order = this.#order++;
    const outer = this.#run.note;
    let detail: Detail | undefined;
    // What is noted is what boxed expressions note: tables and boxes of entries.
    this.#run.note = (noted) => (detail = noted as Detail);
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
        traceData: detail === undefined ? null : this.#shown(detail),
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

  #shown(detail: Detail): Value {
    if (detail.kind === 'table') {
      return { hitPolicy: detail.hitPolicy, rules: detail.rules.map(({ index, id }) => ({ index, id })) };
    }
    const shown: ValueObject = {};
    for (const [name, value] of detail.entries) setKey(shown, name, jsonFrom(value, this.#run));
    return shown;
  }
}

const listOf = (value: Value): Value[] => (Array.isArray(value) ? value : [value]);
