import type { Sandbox } from '../engine/index.js';
import { onDemand } from '../engine/onDemand.js';
import { readBody } from './body.js';
import { checkModel } from './check.js';
import { comparePiece, type CompareContext } from './compare/piece.js';
import { compareModels } from './compare/modelDifferences.js';
import { formatJson, parseExactly } from '../json/index.js';
import { scanItems } from '../json/items.js';
import { modelHasText } from './find.js';
import { withFunctionFaults } from './functionFaults.js';
import { changesInWords } from './narrate/changesInWords.js';
import { narrate } from './narrate/narrate.js';
import { schemasOfProgram } from './schemas.js';
import { shownFields } from './shownFields.js';
import type { Bundle } from '../protocol.js';
import type { DifferencesTask, ModelReply, ModelTask } from './tasks.js';
import { testModel } from './test.js';

/** What a thread has for its work. */
interface WorkContext extends CompareContext {
  readonly sandbox: Sandbox;
}

/**
 * Does one task. Never throws for what a model holds. What reads sheets and what proves something of tables is loaded when it is first
 * asked for: it is a sixth of what each thread would read at its start, and hardly a thread is ever asked.
 * @param timeoutMs from now, within which it ends by itself
 */
export function workOn(task: ModelTask, timeoutMs: number, context: WorkContext): ModelReply | Promise<ModelReply> {
  const { limits, programs, sandbox } = context;
  switch (task.kind) {
    case 'scan':
      return done(scanItems(task));
    case 'body':
      return done(readBody(task));
    case 'check': {
      const deadline = performance.now() + timeoutMs;
      return withFunctionFaults(checkModel(task, { limits, timeLimitMs: timeoutMs }), { sandbox, deadline }).then(done);
    }
    case 'schema':
      return done({ schemas: JSON.stringify(schemasOfProgram(JSON.parse(task.bundle) as Bundle)) });
    case 'find':
      return done({ found: task.texts.map((text) => modelHasText(text, task.search)) });
    case 'fields':
      return done({ fields: task.texts.map(shownFields) });
    case 'differences':
      return done({ differences: differencesOf(task) });
    case 'changesInWords':
      return done(changesInWords(task));
    case 'narrate':
      return done(narrate(task));
    case 'test':
      return testModel(task, programs, performance.now() + timeoutMs).then(done);
    case 'analyse':
      return onDemand(import('./analyse.js'))
        .then(({ analyseModel }) => analyseModel(task, programs, timeoutMs))
        .then(done);
    case 'compare':
      return comparePiece(task, timeoutMs, context).then(done);
    default:
      return onDemand(import('../sheets/work.js')).then(({ workOnSheet }) =>
        done(workOnSheet(task, { limits, timeLimitMs: timeoutMs })),
      );
  }
}

function differencesOf({ from, to }: DifferencesTask): Uint8Array {
  const [before, after] = [from, to].map(({ text }) => parseExactly(new TextDecoder().decode(text)));
  const found = { from: from.version, to: to.version, ...compareModels(before, after) };
  return new TextEncoder().encode(formatJson(found));
}

const done = (answer: ModelReply['answer']): ModelReply => ({ kind: 'worked', answer });
