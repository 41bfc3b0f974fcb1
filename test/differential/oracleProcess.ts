import {
  evaluateExpressionSync,
  evaluateUnaryExpressionSync,
  ZenDecisionContent,
  ZenEngine,
} from '@gorules/zen-engine';
import { isGraph, type Answer, type Case, type GraphCase } from './cases.js';

// The process of the oracle: one case in, one answer out. It may die of a case; its parent starts another.

process.on('message', (subject: Case) => {
  void answerTo(subject).then((answer) => process.send?.(answer));
});
process.on('disconnect', () => process.exit());

async function answerTo(subject: Case): Promise<Answer> {
  try {
    return { value: await evaluate(subject) };
  } catch (error) {
    return { failed: error instanceof Error ? error.message : String(error) };
  }
}

function evaluate(subject: Case): unknown {
  if (isGraph(subject)) return run(subject);
  const { kind, source, data } = subject;
  return plain(kind === 'unary' ? evaluateUnaryExpressionSync(source, data) : evaluateExpressionSync(source, data));
}

async function run(subject: GraphCase): Promise<unknown> {
  const others = new Map(Object.entries(subject.others));
  const engine = new ZenEngine({
    loader: (key) => {
      const model = others.get(key);
      if (model === undefined) return Promise.reject(new Error(`no ${key}`));
      return Promise.resolve(new ZenDecisionContent(model as object));
    },
  });
  try {
    const decision = engine.createDecision(new ZenDecisionContent(subject.model as object));
    return plain((await decision.evaluate(subject.fact)).result);
  } finally {
    engine.dispose();
  }
}

function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value ?? null)) as unknown;
}
