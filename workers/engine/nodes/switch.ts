import { endsRun, EngineError } from '../errors.js';
import type { Frame } from '../jdm/frame.js';
import { Reader } from '../jdm/reader.js';
import type { Value } from '../values.js';
import { charge } from '../zen/budget.js';
import type { Expression } from '../zen/index.js';
import type { CompiledNode, NodeType, NodeContext, Written } from './nodeType.js';

interface Statement {
  readonly id: string;
  /** '' is always true. */
  readonly condition: string;
}

/** Opens the edges of its first true condition, or of all true ones; passes its input on. */
export const switchNode: NodeType = {
  type: 'switchNode',
  read(content, report) {
    const reader = new Reader(content, 'content', report);
    const collect = reader.choice('hitPolicy', ['first', 'collect']) === 'collect';
    const statements = reader.list('statements').map((item): Statement => {
      return { id: item.required('id'), condition: item.text('condition').trim() };
    });
    return {
      role: 'switch',
      statements: statements.map((statement) => statement.id),
      expressions: () => written(statements),
      compile: (context) => compile(statements, collect, context),
    };
  },
};

const locationOf = (index: number) => ({
  field: `content.statements[${index}].condition`,
  label: `condition ${index + 1}`,
});

function* written(statements: readonly Statement[]): Iterable<Written> {
  for (const [index, { id, condition }] of statements.entries()) {
    const pointer = `/content/statements/${index}/condition`;
    const tolerated = 'Its edges never open until it is right.';
    if (condition !== '')
      yield { source: condition, kind: 'standard', ...locationOf(index), pointer, tolerated, statement: id };
  }
}

function compile(statements: readonly Statement[], collect: boolean, context: NodeContext): CompiledNode {
  const conditions = statements.map(({ id, condition }) => {
    return { id, holds: condition === '' ? undefined : context.expression(condition) };
  });
  const choose = (input: Value, frame: Frame): string[] => {
    frame.scope.data = input;
    frame.scope.reference = null;
    const chosen: string[] = [];
    for (const [index, { id, holds }] of conditions.entries()) {
      if (!isTrue(holds, frame, index)) continue;
      chosen.push(id);
      if (!collect) break;
    }
    frame.choose(chosen);
    return chosen;
  };
  return {
    run: (input, frame) => {
      choose(input, frame);
      return input;
    },
    trace: (input, frame, slot) => {
      slot.data = { statements: choose(input, frame).map((id) => ({ id })) };
      return input;
    },
  };
}

/** A condition that fails is false, as one that gives anything but true. */
function isTrue(holds: Expression | undefined, frame: Frame, index: number): boolean {
  charge(frame.session.run, 1);
  if (holds === undefined) return true;
  try {
    return holds(frame.scope) === true;
  } catch (error) {
    if (endsRun(error)) throw error instanceof EngineError ? error.at(locationOf(index)) : error;
    return false;
  }
}
