import { EngineError } from '../errors.js';
import type { Frame } from '../jdm/frame.js';
import { setterOf, type Setter } from '../jdm/merge.js';
import { Reader } from '../jdm/reader.js';
import type { Value, ValueObject } from '../values.js';
import { charge, copyOf } from '../zen/budget.js';
import type { Expression } from '../zen/index.js';
import { setKey } from '../zen/values/objects.js';
import type { CompiledNode, NodeType, NodeContext, Written } from './nodeType.js';
import { readTransform } from './transform.js';

interface Entry {
  readonly key: string;
  readonly source: string;
  readonly field: string;
  readonly pointer: string;
}

interface Step extends Entry {
  readonly evaluate: Expression;
  readonly set: Setter;
  /** The expression may keep a reference to `$` (the results so far), so that later results are written to a copy. */
  readonly mayKeepResults: boolean;
}

/** A list of `key = expression`; later ones see earlier ones as `$.key`. */
export const expressionNode: NodeType = {
  type: 'expressionNode',
  read(content, report) {
    const reader = new Reader(content, 'content', report);
    const entries = readEntries(reader);
    const transform = readTransform(reader);
    return {
      role: 'step',
      *expressions(): Iterable<Written> {
        yield* transform.expressions();
        for (const { key, source, field, pointer } of entries)
          yield { source, kind: 'standard', field, label: labelOf(key), pointer };
      },
      compile: (context) => transform.apply(compile(entries, context), context),
    };
  },
};

const labelOf = (key: string): string => `expression ${key}`;

/** Lines without key or value are unfinished ones of the editor: they do nothing. */
function readEntries(reader: Reader): Entry[] {
  return reader.list('expressions').flatMap((item, index) => {
    const key = item.text('key');
    const source = item.text('value');
    const field = `content.expressions[${index}].value`;
    return key === '' || source.trim() === ''
      ? []
      : [{ key, source, field, pointer: `/content/expressions/${index}/value` }];
  });
}

function compile(entries: readonly Entry[], context: NodeContext): CompiledNode {
  const steps = entries.map((entry): Step => {
    const mayKeepResults = entry.source.includes('$');
    return { ...entry, evaluate: context.expression(entry.source), set: setterOf(entry.key), mayKeepResults };
  });
  return {
    run: (input, frame) => runSteps(steps, input, frame),
    trace: (input, frame, slot) => {
      const shown: ValueObject = {};
      slot.data = shown;
      return runSteps(steps, input, frame, shown);
    },
  };
}

/** `shown` takes each result as soon as it is there, so that a trace has those before a failure. */
function runSteps(steps: readonly Step[], input: Value, frame: Frame, shown?: ValueObject): ValueObject {
  const { scope } = frame;
  scope.data = input;
  scope.reference = null;
  let results: ValueObject = {};
  for (const step of steps) {
    const value = evaluate(step, frame);
    if (shown !== undefined) setKey(shown, step.key, { result: value });
    if (step.mayKeepResults) results = copyOf(frame.session.run, results);
    step.set(results, value, frame.session.run);
    scope.reference = results;
  }
  return results;
}

function evaluate(step: Step, frame: Frame): Value {
  charge(frame.session.run, 1);
  try {
    return step.evaluate(frame.scope);
  } catch (error) {
    throw error instanceof EngineError ? error.at({ field: step.field, label: labelOf(step.key) }) : error;
  }
}
