import { RunClock } from '../clock.js';
import { asEngineError, diagnosticLine, EngineError, shortened } from '../errors.js';
import type { Footprint } from '../footprint.js';
import type { Frame as JdmFrame } from '../jdm/frame.js';
import { jsonSize } from '../jdm/jsonSize.js';
import type { Outcome, RunOptions } from '../jdm/parts.js';
import { tooLargeResult } from '../jdm/outcome.js';
import { finishTrace } from '../jdm/trace.js';
import type { Limits } from '../limits.js';
import type { SubProgram, TraceSlot } from '../nodes/nodeType.js';
import type { Value, ValueObject } from '../values.js';
import { chargeItems } from '../zen/budget.js';
import { isObject } from '../zen/values/kinds.js';
import { setKey } from '../zen/values/objects.js';
import { FeelFunction, invoke, Run, typeText, type Feel, type Warning } from '../feel/index.js';
import { Evaluation, type Node } from './graph.js';
import { tracedFrom } from './trace.js';
import { feelFrom, jsonFrom, readAs, type Made } from './values.js';

/** What a run is given; `now` and `deadline` as for JDM. */
type DmnRunOptions = Pick<RunOptions, 'trace' | 'now' | 'deadline' | 'limits' | 'random' | 'secrets' | 'select'>;

/** An outcome as JDM's, with what was null and why. */
export type DmnOutcome = Outcome & {
  readonly warnings: readonly Warning[];
  /** All warnings: those that were not kept too. */
  readonly warningCount: number;
};

export interface DmnProgramParts {
  readonly inputs: readonly Node[];
  readonly decisions: readonly Node[];
  readonly services: readonly { readonly node: Node; readonly inputs: readonly Node[] }[];
  /** The decisions that no other requires. */
  readonly tops: readonly Node[];
  readonly limits: Limits;
  readonly footprint: Footprint;
}

/** A name of a selection that the program does not have. */
export interface UnknownSelection {
  /** Its place in the selection. */
  readonly at: number;
  readonly message: string;
}

/** Names that a message lists. */
const mostShown = 20;
const quoted = (name: string): string =>
  JSON.stringify(name.length > 100 ? `${name.slice(0, 99).toWellFormed()}…` : name);

/** A compiled document. Immutable; any number of runs may use it, and none of them makes a promise. */
export class DmnProgram implements SubProgram {
  readonly async = false;
  /** It runs no JavaScript and enters no other program: what it imports is a part of it. */
  readonly parts: DmnProgramParts & { readonly scripted: false; readonly subPrograms: () => readonly [] };

  /** The members of a fact that inputs and parameters of services read. */
  readonly #names: ReadonlySet<string>;

  constructor(parts: DmnProgramParts) {
    this.parts = { ...parts, scripted: false, subPrograms: () => [] };
    const read = [...parts.inputs, ...parts.services.flatMap(({ inputs }) => inputs)];
    this.#names = new Set(read.flatMap(({ part }) => [part.name, part.variable]));
  }

  /** The place of the first of such names that is neither a decision nor a decision service, and what to say of it. */
  unknownIn(select: readonly string[]): UnknownSelection | undefined {
    const at = select.findIndex((name) => this.#selected(name) === undefined);
    const name = select[at];
    if (name === undefined) return undefined;
    const nodes = [...this.parts.decisions, ...this.parts.services.map(({ node }) => node)];
    const byId = nodes.find(({ part }) => part.id === name)?.part.name;
    const shown = nodes.slice(0, mostShown).map(({ part }) => quoted(part.name));
    const others = nodes.length > mostShown ? `, and ${nodes.length - mostShown} more` : '';
    const told = `${quoted(name)} is no decision and no decision service of the model`;
    return {
      at,
      message:
        byId === undefined
          ? `${told}. It has ${shown.join(', ')}${others}.`
          : `${told}, but the id of one: write its name, ${quoted(byId)}.`,
    };
  }

  /**
   * Runs the program on a fact (parsed JSON; not changed). Never throws for what a model or a fact does: that is an outcome
   * with status FAILED.
   */
  run(fact: Value, options: DmnRunOptions): DmnOutcome {
    const started = performance.now();
    const limits = options.limits ?? this.parts.limits;
    const { deadline, now, random } = options;
    const clock = new RunClock(now, started);
    const run = new Run({ limits, steps: limits.steps, deadline, now: clock.now, random });
    const tell = (message: string): string => shortened(options.secrets?.text(message) ?? message);
    const trace = options.trace ? tracedFrom(run, tell) : undefined;
    const ended = () => ({
      engineMs: performance.now() - started,
      warnings: run.warnings(),
      warningCount: run.warningCount,
      ...(trace === undefined ? { plain: true } : finishTrace(trace, limits.traceBytes)),
    });
    try {
      const result = this.#evaluate(fact, options.select, run);
      const size = jsonSize(result, limits.outputBytes);
      if (size === undefined) throw tooLargeResult(limits);
      const told = ended();
      return { status: 'COMPLETED', result, ...told, plain: told.plain && size.plain };
    } catch (cause) {
      const error = asEngineError(cause);
      if (error === undefined) throw cause;
      const diagnostic = error.toDiagnostic();
      const failed = { ...diagnostic, message: tell(diagnostic.message) };
      return { status: 'FAILED', error: failed, message: diagnosticLine(failed), ...ended() };
    }
  }

  /** Runs the program as a sub-decision of a JDM graph that is running. */
  enter(input: Value, parent: JdmFrame, slot: TraceSlot): Value {
    const run = new Run(parent.session.run);
    slot.data = parent.session.traced ? tracedFrom(run) : undefined;
    const result = this.#evaluate(input, undefined, run);
    parent.session.warn(run.warnings());
    return result;
  }

  #evaluate(fact: Value, select: readonly string[] | undefined, run: Run): ValueObject {
    const evaluation = new Evaluation(run, this.#tellerOfLacks(fact, run));
    for (const input of this.parts.inputs) this.#read(input, fact, evaluation);
    const wanted = select?.map((name) => {
      const selected = this.#selected(name);
      if (selected === undefined) throw new EngineError('model_invalid', `There is no decision or service "${name}".`);
      return selected;
    });
    const values = (wanted ?? this.parts.tops).map((each) =>
      'part' in each
        ? { node: each, value: evaluation.valueOf(each) }
        : { node: each.node, value: this.#call(each, fact, evaluation) },
    );
    const result: ValueObject = {};
    const made: Made = new Map();
    for (const { node, value } of values) setKey(result, node.part.name, jsonFrom(value, run, made, node.site));
    chargeItems(run.state, values.length);
    return result;
  }

  #selected(name: string): Node | DmnProgramParts['services'][number] | undefined {
    return (
      this.parts.decisions.findLast(({ part }) => part.name === name) ??
      this.parts.services.find(({ node }) => node.part.name === name)
    );
  }

  #read(input: Node, fact: Value, { frame, run }: Evaluation): void {
    const { name } = input.part;
    const given = givenTo(input.part, fact);
    if (given === undefined) return;
    const value = readAs(given, input.type, run);
    if (value === undefined) run.warn(input.site, `Input "${name}" is not of its type: ${typeText(input.type)}.`);
    frame.values[input.slot] = value ?? null;
  }

  /** Input data may be left out. Where the fact has what nothing reads, it was probably given by another name. */
  #tellerOfLacks(fact: Value, run: Run): (input: Node) => void {
    // Looked for once: both the members and the inputs may be many.
    let hasOthers: boolean | undefined;
    return ({ part: { name }, site, isUndeclared }) => {
      hasOthers ??= isObject(fact) && Object.keys(fact).some((member) => !this.#names.has(member));
      if (isUndeclared) run.warn(site, `The fact has no "${name}", which no input data declares.`);
      else if (hasOthers)
        run.warn(
          site,
          `The fact has no "${name}", though it has members that no input reads. ` +
            'Input data is given by its own name, without that of an import.',
        );
    };
  }

  /** A decision service: its input data and its input decisions are members of the fact. */
  #call({ node, inputs }: DmnProgramParts['services'][number], fact: Value, evaluation: Evaluation): Feel {
    const called = evaluation.valueOf(node);
    const { run } = evaluation;
    if (!(called instanceof FeelFunction)) return null;
    const args: Feel[] = [];
    for (const { part, type } of inputs) {
      const given = givenTo(part, fact);
      if (given === undefined) return run.warn(node.site, `The service needs "${part.name}".`);
      args.push(feelFrom(given, type, run));
    }
    return invoke(called, args, run, node.site);
  }
}

/** The member of a fact that an input means; undefined where it has none. */
function givenTo({ name, variable }: Node['part'], fact: Value): Value | undefined {
  const own = [name, variable].find((each) => isObject(fact) && Object.hasOwn(fact, each));
  return own !== undefined && isObject(fact) ? fact[own] : undefined;
}
