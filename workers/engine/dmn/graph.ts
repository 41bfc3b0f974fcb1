import { asEngineError, type EngineError } from '../errors.js';
import { charge } from '../zen/budget.js';
import {
  anyType,
  FeelFunction,
  Frame,
  held,
  locate,
  normalName,
  type Code,
  type Feel,
  type FeelType,
  type FunctionParameter,
  type Run,
  type Site,
} from '../feel/index.js';
import type { Part } from './definitions.js';

/** What a decision sees in a place of the frame that is made of the values of others. */
export interface Derived {
  readonly slot: number;
  readonly value: (valueOf: (node: Node) => Feel, run: Run) => Feel;
}

/** An element of the requirements graph, compiled. Values stand in the run's outermost frame. */
export interface Node {
  readonly part: Part;
  /** Where its value stands in the frame. */
  readonly slot: number;
  /** Of its value; of a function, for business knowledge models and services. */
  type: FeelType;
  readonly site: Site;
  /** Of an input: no input data declares it. */
  readonly isUndeclared?: true;
  requires: readonly Node[];
  derived: readonly Derived[];
  /** What the element gives, once all that it requires stands in the frame. */
  code: Code;
}

/** Is told when the logic of an element begins; what it gives, when that ends. */
type Watcher = (node: Node, inputs: () => ReadonlyMap<string, Feel>) => (output: Feel, error?: EngineError) => void;

/** Those of runs that are traced. */
const watchers = new WeakMap<Run, Watcher>();
export const watch = (run: Run, watcher: Watcher): void => void watchers.set(run, watcher);

/** What an element gives, of which the run's watcher is told; so it is of an error that ends it. */
function told(node: Node, run: Run, logic: { inputs: () => ReadonlyMap<string, Feel>; make: () => Feel }): Feel {
  const end = watchers.get(run)?.(node, logic.inputs);
  try {
    const value = logic.make();
    end?.(value);
    return value;
  } catch (error) {
    locate(error, node.site.place);
    end?.(null, asEngineError(error));
    throw error;
  }
}

/** The values of one evaluation: a run's, or one call of a decision service. */
export class Evaluation {
  readonly frame: Frame;

  readonly run: Run;

  /** Is told of each input that is asked for and has no value; such an input is null. */
  readonly #lacks: ((input: Node) => void) | undefined;

  constructor(run: Run, lacks?: (input: Node) => void) {
    this.run = run;
    this.#lacks = lacks;
    this.frame = new Frame(run, null, []);
  }

  /** The value of an element, worked out when it is first asked for. */
  valueOf(node: Node): Feel {
    const known = this.frame.values[node.slot];
    if (known !== undefined) return known;
    // An element that requires itself finds null.
    this.frame.values[node.slot] = null;
    if (node.part.kind === 'input') {
      this.#lacks?.(node);
      return null;
    }
    charge(this.run.state, 1);
    if (node.part.kind !== 'decision') {
      // Functions may call one another: each stands in the frame before what it requires is made.
      const made = node.code(this.frame);
      this.frame.values[node.slot] = made;
      this.#require(node);
      return made;
    }
    this.#require(node);
    const value = told(node, this.run, {
      inputs: () => this.inputsOf(node),
      make: () => held(node.code(this.frame), node.type, this.run, node),
    });
    this.frame.values[node.slot] = value;
    return value;
  }

  /** Makes the functions that an element requires; inputs and decisions are null, as if they had been worked out. */
  provideFunctions(node: Node): void {
    for (const { part, slot } of node.requires) {
      if (part.kind === 'input' || part.kind === 'decision') this.frame.values[slot] = null;
    }
    if (node.part.kind === 'decision') this.#require(node);
    else this.valueOf(node);
  }

  /** The values of what an element requires, by name, functions left out. */
  inputsOf(node: Node): ReadonlyMap<string, Feel> {
    const own = node.requires
      .filter(({ part }) => part.kind === 'input' || part.kind === 'decision')
      .map((each) => [each.part.variable, this.frame.values[each.slot] ?? null] as const);
    return new Map(own);
  }

  #require(node: Node): void {
    for (const each of node.requires) this.valueOf(each);
    for (const { slot, value } of node.derived) {
      this.frame.values[slot] = value((each) => this.valueOf(each), this.run);
    }
  }
}

/** A decision service as a function: each call is an evaluation of its own. */
export function serviceCode(
  node: Node,
  parts: { readonly inputs: readonly Node[]; readonly outputs: readonly Node[] },
): Code {
  const parameters = parts.inputs.map(({ part, type }) => ({
    name: part.variable,
    key: normalName(part.variable),
    type,
  }));
  const called = watched(node, parameters, (args, run) => {
    const inner = new Evaluation(run);
    parts.inputs.forEach((input, index) => (inner.frame.values[input.slot] = args[index] ?? null));
    return serviceResult(parts.outputs, inner);
  });
  return () => new FeelFunction(node.part.name, parameters, undefined, called);
}

/** Calls of an element's function are watched, and their results held to the element's type. */
const watched =
  (node: Node, parameters: readonly FunctionParameter[], make: FeelFunction['call']) =>
  (args: readonly Feel[], run: Run, site: Site): Feel => {
    return told(node, run, {
      inputs: () => new Map(parameters.map(({ name }, index) => [name, args[index] ?? null] as const)),
      make: () => held(make(args, run, site), resultType(node.type), run, node),
    });
  };

/** The type that a function gives; types of variables name either the function's or its result's. */
const resultType = (type: FeelType): FeelType => {
  const target = type.kind === 'named' ? type.target() : type;
  return target.kind === 'function' ? target.result : type;
};

/** What the parser may know of an element's value: its type, or that of a function's result. */
export const shownType = ({ part, type }: Node): FeelType =>
  type.kind !== 'any' && (part.kind === 'knowledge' || part.kind === 'service') ? resultType(type) : type;

function serviceResult(outputs: readonly Node[], evaluation: Evaluation): Feel {
  const [only] = outputs;
  if (only !== undefined && outputs.length === 1) return evaluation.valueOf(only);
  return new Map(outputs.map((each) => [each.part.variable, evaluation.valueOf(each)] as const));
}

/** A business knowledge model as a function, whose calls are watched. */
export function watchedFunction(node: Node, make: (frame: Frame) => FeelFunction): Code {
  return (frame) => {
    const made = make(frame);
    const { parameters = [], result = anyType } = made;
    const called = watched(node, parameters, (args, run, site) => {
      charge(run.state, 1);
      return held(made.call(args, run, site), result, run, node);
    });
    return new FeelFunction(made.name, made.parameters, made.result, called);
  };
}
