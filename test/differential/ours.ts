import { isDeepStrictEqual } from 'node:util';
import {
  EngineError,
  fromJson,
  stringify,
  type JdmProgram as Program,
  type Value,
} from '../../workers/engine/index.js';
import { compile } from '../../workers/engine/jdm/compile.js';
import { defaultLimits } from '../../workers/engine/limits.js';
import type { Scope } from '../../workers/engine/values.js';
import { compileExpression, compileUnary, own } from '../../workers/engine/zen/index.js';
import { describeAnswer, isGraph, type Answer, type Case, type SourceCase } from './cases.js';

/** Changes a program, for a known difference. */
export type Change = (program: Program) => Program;
const unchanged: Change = (program) => program;

/** Runs a case on our engine; graphs plain and traced, which must agree. */
export function answerOfOurs(subject: Case, change = unchanged): Answer {
  try {
    if (!isGraph(subject)) return { value: asJson(evaluate(subject)) };
    const resolve = resolverOf(subject.others, change);
    const program = change(compile(subject.model, { resolve }));
    const fact = fromJson(subject.fact);
    const [plain, traced] = [run(program, fact, false), run(program, fact, true)];
    if (isDeepStrictEqual(plain, traced)) return plain;
    throw new Error(`plain and traced differ: ${describeAnswer(plain)} / ${describeAnswer(traced)}`);
  } catch (error) {
    if (error instanceof EngineError) return { failed: `${error.code}: ${error.message}` };
    throw error;
  }
}

function evaluate({ kind, source, data }: SourceCase): Value {
  const fact = fromJson(data);
  const run = { limits: defaultLimits, steps: 10_000_000, deadline: Infinity, now: Date.now, random: Math.random };
  const scope: Scope = { data: fact, reference: own(fact, '$'), nodes: null, env: {}, run };
  return kind === 'unary' ? compileUnary(source)(scope) : compileExpression(source)(scope);
}

function run(program: Program, fact: Value, trace: boolean): Answer {
  const outcome = program.run(fact, { trace, now: Date.now(), random: Math.random, deadline: Infinity });
  if (outcome instanceof Promise) throw new Error('a graph without function nodes gave a promise');
  if (outcome.status === 'FAILED') return { failed: outcome.message };
  return { value: asJson(outcome.result) };
}

/** The programs of a case's other models. */
function resolverOf(
  others: Readonly<Record<string, unknown>>,
  change = unchanged,
): (key: string) => Program | undefined {
  const resolve = (key: string): Program | undefined =>
    Object.hasOwn(others, key) ? change(compile(others[key], { resolve })) : undefined;
  return resolve;
}

function asJson(value: Value): unknown {
  return JSON.parse(stringify(value));
}

/** Whether two answers are the same: values as JSON, failures whatever they say. */
export function agree(ours: Answer, theirs: Answer): boolean {
  if ('value' in ours && 'value' in theirs) return isDeepStrictEqual(ours.value, theirs.value);
  return 'failed' in ours && 'failed' in theirs;
}
