import {
  EngineError,
  diagnosticLine,
  JsonTexts,
  traceText,
  type Diagnostic,
  type Outcome,
  type RunSecrets,
} from './engine/index.js';
import { measuredIn } from './measured.js';
import type { RunDone, RunStopped } from './protocol.js';

/** What a reply needs beside the outcome. */
export interface ReplyContext {
  /** Secrets that the run has read are redacted everywhere but in the result of a run that completed. */
  readonly secrets: RunSecrets;
  /** The trace was asked for; otherwise only a failure shows it. */
  readonly traced: boolean;
  readonly factText: () => string;
  /** As the body has it. */
  readonly select?: readonly string[] | undefined;
  /** As the task has it. */
  readonly measured?: readonly string[] | undefined;
}

/** Bytes of a diagnostic that is recorded as it is: its column takes 65,535. */
const maxDiagnosticBytes = 65_535;
/** Characters kept of each text in a larger diagnostic, and of a stopped run's message. */
const maxTextLength = 1000;

type Failed = Extract<Outcome, { status: 'FAILED' }>;

/** An outcome as what crosses to the main thread; redacted, but for the result of a run that completed. */
export function replyOf(outcome: Outcome, context: ReplyContext): RunDone | RunStopped {
  if (outcome.status === 'FAILED') return failedReply(outcome, context);
  const texts = new JsonTexts(outcome.plain);
  const result = resultText(outcome, texts);
  if (result instanceof EngineError) {
    const diagnostic = result.toDiagnostic();
    const { engineMs, plain, trace } = outcome;
    const failed: Failed = {
      status: 'FAILED',
      error: diagnostic,
      message: diagnosticLine(diagnostic),
      engineMs,
      plain,
    };
    return failedReply(trace === undefined ? failed : { ...failed, trace }, context);
  }
  const { secrets, traced, measured } = context;
  const recorded = recordOf(context);
  const recordedResult = secrets.json(result);
  const reply: RunDone = {
    kind: 'done',
    status: 'COMPLETED',
    result,
    trace: traced ? redactedTrace(outcome, secrets, texts) : null,
    ...warningsOf(outcome, secrets),
    engineUs: microseconds(outcome),
    error: null,
    ...recorded,
    recordedResult: recordedResult === result ? null : recordedResult,
  };
  if (measured === undefined) return reply;
  return { ...reply, measured: measuredIn(outcome.result, measured, (value) => secrets.json(texts.of(value))) };
}

function failedReply(outcome: Failed, context: ReplyContext): RunDone | RunStopped {
  const { secrets } = context;
  const message = secrets.text(outcome.message);
  const recorded = recordOf(context);
  const engineUs = microseconds(outcome);
  const reason = stopReason(outcome.error);
  if (reason !== undefined)
    return { kind: 'stopped', reason, message: message.slice(0, maxTextLength), engineUs, ...recorded };
  return {
    kind: 'done',
    status: 'FAILED',
    result: JSON.stringify({ error: message }),
    trace: redactedTrace(outcome, secrets),
    ...warningsOf(outcome, secrets),
    engineUs,
    error: diagnosticText(outcome.error, secrets),
    ...recorded,
    recordedResult: null,
  };
}

/**
 * The diagnostic as JSON. Where it is too large for its column, the source (which the model has) is left out and texts are
 * cut, after redaction.
 */
function diagnosticText(diagnostic: Diagnostic, secrets: RunSecrets): string {
  const whole = secrets.json(JSON.stringify(diagnostic));
  if (Buffer.byteLength(whole) <= maxDiagnosticBytes) return whole;
  const short = (name: string, value: unknown): unknown => {
    if (name === 'source') return undefined;
    return typeof value === 'string' ? secrets.text(value).slice(0, maxTextLength) : value;
  };
  return secrets.json(JSON.stringify(diagnostic, short));
}

/**
 * The reply for an error that the engine did not raise on purpose: a fault of ours, whose stack is for the log alone.
 */
export function brokenReply(error: unknown, context: ReplyContext): RunStopped {
  return {
    kind: 'stopped',
    reason: 'crash',
    message: 'The engine failed on this run.',
    detail: context.secrets.text((error instanceof Error ? error.stack : undefined) ?? String(error)),
    engineUs: 0,
    ...recordOf(context),
  };
}

/** Limits that are answered with a 5xx, because the run was stopped and not judged. */
function stopReason({ code }: Diagnostic): RunStopped['reason'] | undefined {
  if (code === 'timeout') return 'timeout';
  return code === 'limit_memory' ? 'memory' : undefined;
}

function resultText({ result }: Extract<Outcome, { status: 'COMPLETED' }>, texts: JsonTexts): string | EngineError {
  try {
    return texts.of(result);
  } catch (error) {
    if (error instanceof EngineError) return error;
    throw error;
  }
}

/** What a record has of the request, redacted. */
function recordOf({
  secrets,
  factText,
  select,
}: ReplyContext): Pick<RunDone, 'recordedFact' | 'factRedacted' | 'selection'> {
  const fact = factText();
  const recordedFact = secrets.json(fact);
  const selection = select === undefined ? {} : { selection: JSON.stringify(select) };
  return { recordedFact, factRedacted: recordedFact !== fact, ...selection };
}

/** What a record has of warnings: it is not to be larger by them than by a diagnostic. */
function warningsOf({ warnings = [] }: Outcome, secrets: RunSecrets): Pick<RunDone, 'warnings' | 'warningCount'> {
  if (warnings.length === 0) return {};
  const texts: string[] = [];
  let bytes = 0;
  for (const warning of warnings) {
    const text = JSON.stringify(warning);
    bytes += Buffer.byteLength(text);
    if (bytes > maxDiagnosticBytes) break;
    texts.push(text);
  }
  return { warnings: secrets.json(`[${texts.join(',')}]`), warningCount: texts.length };
}

/** The trace as JSON, null where there is none. @param texts that share their work with the result's */
export function redactedTrace(
  { trace, plain }: Outcome,
  secrets: RunSecrets,
  texts = new JsonTexts(plain),
): string | null {
  return trace === undefined ? null : secrets.json(traceText(trace, texts));
}

const microseconds = ({ engineMs }: Outcome): number => Math.round(engineMs * 1000);
