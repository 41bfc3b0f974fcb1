import { EngineError } from '../errors.js';
import type { Frame } from '../jdm/frame.js';
import { merge, setterOf } from '../jdm/merge.js';
import type { Reader } from '../jdm/reader.js';
import { exactJsonSize } from '../jdm/jsonSize.js';
import type { Value, ValueObject } from '../values.js';
import { charge } from '../zen/budget.js';
import type { Expression } from '../zen/index.js';
import type { CompiledNode, Eventually, NodeContext, TraceSlot, Written } from './nodeType.js';

/** What table, expression and decision nodes do around their own work. */
interface Transform {
  expressions(): Iterable<Written>;
  /** The node with its transformation around it; the node itself where there is none. */
  apply(node: CompiledNode, context: NodeContext): CompiledNode;
}

interface Attributes {
  /** An expression that gives the node's input; '' for all of it. */
  readonly inputField: string;
  /** A dotted path under which the output is put; '' for none. */
  readonly outputPath: string;
  /** Run once for each item of the input, which must be an array. */
  readonly loop: boolean;
  /** Lay the output over the input instead of replacing it; in a loop, over each item too. */
  readonly passThrough: boolean;
}

/** Reads `inputField`, `outputPath`, `executionMode` and `passThrough` of a node's content. */
export function readTransform(reader: Reader): Transform {
  const attributes: Attributes = {
    inputField: reader.text('inputField').trim(),
    outputPath: reader.text('outputPath').trim(),
    loop: reader.choice('executionMode', ['single', 'loop']) === 'loop',
    passThrough: reader.flag('passThrough'),
  };
  const { inputField, outputPath, loop, passThrough } = attributes;
  const idle = inputField === '' && outputPath === '' && !loop && !passThrough;
  return {
    expressions: () =>
      inputField === ''
        ? []
        : [{ source: inputField, kind: 'standard', ...inputLocation, pointer: '/content/inputField' }],
    apply: (node, context) => (idle ? node : around(node, attributes, context)),
  };
}

const inputLocation = { field: 'content.inputField', label: 'input field' };

/** A node's work on one input, plain or traced. */
type Work = (input: Value, frame: Frame, slot: TraceSlot) => Eventually<Value>;

function around(node: CompiledNode, attributes: Attributes, context: NodeContext): CompiledNode {
  const plain = attributes.loop ? looped((input, frame) => node.run(input, frame), attributes, false) : undefined;
  const traced: Work = (input, frame, slot) => node.trace(input, frame, slot);
  const run = wrap(plain ?? ((input, frame) => node.run(input, frame)), attributes, context);
  const unused: TraceSlot = { data: undefined, passedOver: [] };
  return {
    run: (input, frame) => run(input, frame, unused),
    trace: wrap(attributes.loop ? looped(traced, attributes, true) : traced, attributes, context),
  };
}

function wrap(work: Work, { inputField, outputPath, passThrough }: Attributes, context: NodeContext): Work {
  const select = inputField === '' ? undefined : context.expression(inputField);
  const setPath = outputPath === '' ? undefined : setterOf(outputPath);
  return (input, frame, slot) => {
    const output = work(select === undefined ? input : selectFrom(select, input, frame), frame, slot);
    return output instanceof Promise ? output.then((value) => finish(value)) : finish(output);

    function finish(value: Value): Value {
      let nested = value;
      if (setPath !== undefined) {
        const holder: ValueObject = {};
        setPath(holder, value, frame.session.run);
        nested = holder;
      }
      return passThrough ? merge(input, nested, frame.session.run) : nested;
    }
  };
}

function selectFrom(select: Expression, input: Value, { scope }: Frame): Value {
  scope.data = input;
  scope.reference = null;
  try {
    return select(scope);
  } catch (error) {
    throw error instanceof EngineError ? error.at(inputLocation) : error;
  }
}

/** One round for each item; the outputs and, if traced, the rounds' traces become lists. */
function looped(work: Work, { passThrough }: Attributes, traced: boolean): Work {
  return (input, frame, slot) => {
    const { run } = frame.session;
    const items = itemsOf(input, run.limits.iterations);
    const outputs: Value[] = [];
    const keep = traced ? roundsOf(slot, run.limits.traceBytes) : undefined;
    return next(0);

    function next(from: number): Eventually<Value> {
      for (let index = from; index < items.length; index++) {
        charge(run, 1);
        const item = items[index] ?? null;
        const round: TraceSlot = { data: undefined, passedOver: slot.passedOver };
        const output = work(item, frame, round);
        if (output instanceof Promise) {
          return output.then((value) => {
            settle(item, value, round);
            return next(index + 1);
          });
        }
        settle(item, output, round);
      }
      return outputs;
    }

    function settle(item: Value, output: Value, round: TraceSlot): void {
      keep?.(round);
      outputs.push(passThrough ? merge(item, output, run) : output);
    }
  };
}

/** Gathers the traces of rounds in `slot`, as long as the whole trace could still hold them. */
function roundsOf(slot: TraceSlot, limit: number): (round: TraceSlot) => void {
  const rounds: Value[] = [];
  slot.data = rounds;
  let left = limit;
  return ({ data, truncated }) => {
    if (data === undefined || left < 0) return;
    const size = exactJsonSize(data, left);
    left = size === undefined ? -1 : left - size.bytes;
    if (left >= 0) rounds.push(data);
    if (left < 0 || truncated === true) slot.truncated = true;
  };
}

function itemsOf(input: Value, most: number): readonly Value[] {
  if (!Array.isArray(input)) {
    throw new EngineError('type_error', 'A node that loops needs an array as its input.', inputLocation);
  }
  if (input.length > most) {
    throw new EngineError(
      'limit_iterations',
      `The loop has ${input.length} rounds; at most ${most} are allowed.`,
      inputLocation,
    );
  }
  return input;
}
