import { asEngineError, type EngineError } from '../errors.js';
import type { Eventually, TraceSlot } from '../nodes/nodeType.js';
import type { Scope, Value, ValueObject } from '../values.js';
import { charge, chargeMade } from '../zen/budget.js';
import { isObject } from '../zen/values/kinds.js';
import { setKey } from '../zen/values/objects.js';
import type { Frame, Session } from './frame.js';
import { merge, withoutNulls } from './merge.js';
import type { ProgramNode, ProgramParts } from './parts.js';
import type { Path } from './plan.js';
import { addEntry, performanceText, traceError, type NodeTrace, type Trace } from './trace.js';
import { reservedKey } from './jsonSize.js';

interface Beginning {
  readonly parts: ProgramParts;
  readonly path: Path;
  readonly session: Session;
  readonly input: Value;
  /** The graph whose decision node runs this one. */
  readonly parent?: Frame;
}

/** One run of one graph: of the decision that was asked for, or of a sub-decision. */
export class GraphRun implements Frame {
  readonly session: Session;
  readonly scope: Scope;
  readonly depth: number;
  readonly trace: Trace | undefined;
  readonly #parts: ProgramParts;
  readonly #input: Value;
  readonly #parent: Frame | undefined;
  readonly #path: Path;
  /** Outputs by node index. */
  readonly #outputs: (Value | undefined)[];
  /** How many nodes have run. */
  #order = 0;
  /** The nodes that `$nodes` shows, in their order. */
  readonly #done: number[] = [];
  #nodeId = '';
  #chosen: readonly string[] = [];

  constructor({ parts, path, session, input, parent }: Beginning) {
    this.session = session;
    this.scope = { data: null, reference: null, nodes: null, env: session.env, run: session.run };
    this.depth = parent === undefined ? 0 : parent.depth + 1;
    this.trace = session.traced ? {} : undefined;
    this.#parts = parts;
    this.#input = input;
    this.#parent = parent;
    this.#path = path;
    this.#outputs = new Array<Value | undefined>(parts.nodes.length).fill(undefined);
  }

  /** The node that runs. */
  get nodeId(): string {
    return this.#nodeId;
  }

  choose(statements: readonly string[]): void {
    this.#chosen = statements;
  }

  /** `$nodes`. A sub-decision sees its parent's as `$nodes.<input node>.$nodes`. */
  nodes(): ValueObject {
    const nodes: ValueObject = {};
    chargeMade(this.session.run, this.#done.length);
    for (const index of this.#done) {
      let output = this.#outputs[index] ?? null;
      if (this.#parent !== undefined && this.#parts.plan.roles[index] === 'input' && isObject(output)) {
        output = { ...output, [reservedKey]: this.#parent.nodes() };
      }
      setKey(nodes, this.#parts.nodes[index]?.name ?? '', output);
    }
    return nodes;
  }

  /** Runs nodes until the first output node, or until none is due, and gives the result. */
  drive(): Eventually<Value> {
    for (let index = this.#path.next(); index >= 0; index = this.#path.next()) {
      if (this.#outputs[index] !== undefined) {
        this.#done.push(index);
        continue;
      }
      const output = this.#perform(index);
      if (output instanceof Promise) {
        return output.then((value) => (this.#settle(index, value) ? this.#result() : this.drive()));
      }
      if (this.#settle(index, output)) break;
    }
    return this.#result();
  }

  /** Keeps a node's output; true when it ends the run. */
  #settle(index: number, output: Value): boolean {
    this.#outputs[index] = output;
    this.#order++;
    const role = this.#parts.plan.roles[index];
    // A switch that closed edges restarts the walk; it appears in `$nodes` when the walk reaches it again, if it does.
    if (role !== 'switch' || this.#path.close(index, this.#chosen)) this.#done.push(index);
    return role === 'output';
  }

  #result(): Value {
    let result: Value | undefined;
    for (const leaf of this.#path.leaves()) {
      const output = this.#outputs[leaf] ?? null;
      result = result === undefined ? withoutNulls(output, this.session.run) : merge(result, output, this.session.run);
    }
    return result ?? {};
  }

  /** Parents' outputs, merged; `{}` where they give no object or list. */
  #gather(index: number): Value {
    let gathered: Value | undefined;
    for (const parent of this.#path.parents(index)) {
      const output = this.#outputs[parent];
      if (output === undefined) continue;
      if (gathered !== undefined) gathered = merge(gathered, output, this.session.run);
      else gathered = Array.isArray(output) || isObject(output) ? output : {};
    }
    return gathered ?? {};
  }

  #perform(index: number): Eventually<Value> {
    const node = this.#parts.nodes[index];
    if (node === undefined) return {};
    const isEntry = this.#parts.plan.roles[index] === 'input';
    const input = isEntry ? this.#input : this.#gather(index);
    this.#nodeId = node.id;
    this.scope.nodes = node.readsNodes ? this.nodes() : null;
    try {
      charge(this.session.run, 1);
      if (this.trace !== undefined) return this.#record(this.trace, node, index, input);
      const output = node.compiled.run(input, this);
      return output instanceof Promise ? output.catch((error: unknown) => locate(error, node)) : output;
    } catch (error) {
      return locate(error, node);
    }
  }

  #record(trace: Trace, node: ProgramNode, index: number, input: Value): Eventually<Value> {
    const slot: TraceSlot = { data: undefined, passedOver: [] };
    const started = performance.now();
    const role = this.#parts.plan.roles[index];
    const told = (error: EngineError) => traceError(this.session.diagnosticOf(error));
    const enter = (output: Value, error?: NodeTrace['error']) => {
      const performed = performanceText(performance.now() - started);
      // A row that was passed over says already why there is no result.
      const nearest = slot.passedOver.length === 0 ? slot.unmatched?.() : undefined;
      addEntry(trace, node.id, {
        id: node.id,
        name: node.name,
        input: role === 'input' ? null : input,
        output: role === 'output' ? null : output,
        performance: performed,
        order: this.#order,
        traceData: slot.data ?? null,
        ...(error === undefined ? {} : { error }),
        ...(slot.truncated === true ? { truncated: true } : {}),
        ...(slot.unmatched === undefined ? {} : { unmatched: true }),
        ...(nearest === undefined ? {} : { nearest }),
        ...(slot.passedOver.length === 0
          ? {}
          : { passedOver: slot.passedOver.map(({ index: row, error: of }) => ({ index: row, ...told(of) })) }),
      });
      return output;
    };
    const fail = (error: unknown): never => {
      const known = asEngineError(error);
      if (known === undefined) throw error;
      enter(null, told(known));
      return locate(known, node);
    };
    try {
      const output = node.compiled.trace(input, this, slot);
      return output instanceof Promise ? output.then((value) => enter(value), fail) : enter(output);
    } catch (error) {
      return fail(error);
    }
  }
}

/** Adds the node to an error on its way up. */
function locate(error: unknown, { id, name }: ProgramNode): never {
  throw asEngineError(error)?.at({ nodeId: id, nodeName: name }) ?? error;
}
