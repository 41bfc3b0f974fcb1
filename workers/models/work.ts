import { schemasOf, type Limits } from '../engine/index.js';
import type { Programs } from '../programs.js';
import { checkModel } from './check.js';
import { compareModels } from './compare/modelDifferences.js';
import { formatJson, parseExactly } from './exactJson.js';
import { scan } from './scan.js';
import type { ModelReply, ModelTask } from './tasks.js';
import { testModel } from './test.js';

/** What a thread has for its work. */
export interface WorkContext {
  readonly limits: Limits;
  readonly programs: Programs;
}

/** Does one task. Never throws for what a model holds. @param timeoutMs from now, within which it ends by itself */
export function workOn(
  task: ModelTask,
  timeoutMs: number,
  { limits, programs }: WorkContext,
): ModelReply | Promise<ModelReply> {
  switch (task.kind) {
    case 'scan':
      return done(scan(task.body, task.state));
    case 'check':
      return done(checkModel(task, { limits, timeLimitMs: timeoutMs }));
    case 'schema':
      return done({ schemas: JSON.stringify(schemasOf(JSON.parse(task.text))) });
    case 'compare': {
      const [from, to] = [parseExactly(task.from), parseExactly(task.to)];
      return done({ differences: formatJson(compareModels(from, to)) });
    }
    case 'test':
      return testModel(task, programs, performance.now() + timeoutMs).then(done);
  }
}

const done = (answer: ModelReply['answer']): ModelReply => ({ kind: 'worked', answer });
