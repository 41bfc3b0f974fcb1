import {
  EngineError,
  failedOutcome,
  JsonTexts,
  type Outcome,
  type RunSecrets,
  type Trace,
  type ValueObject,
} from '../../engine/index.js';
import type { LoadedConfiguration } from '../../configurations.js';
import { factFor, type Fact } from '../../fact.js';
import type { Loaded } from '../../programs.js';
import { randomFrom } from '../../random.js';
import type { CompareCase, SkipReason } from './tasks.js';

/** What cases run with. */
export interface Means {
  readonly loaded: readonly { readonly program: Loaded; readonly getsSecrets: boolean }[];
  readonly configuration: LoadedConfiguration;
}

interface CaseOptions {
  readonly recorded: CompareCase;
  readonly means: Means;
  /** Of the candidate. */
  readonly timeoutMs: number;
  readonly candidateFirst: boolean;
}

/** One of the two runs of a case. */
interface CaseRun {
  readonly outcome: Outcome;
  readonly secrets: RunSecrets;
  /** Why it says nothing; null where it does. */
  readonly withheld: Extract<SkipReason, 'http' | 'secret'> | null;
}

/** The two runs of a case. */
export class CaseRuns {
  readonly recorded: CompareCase;
  /**
   * Milliseconds of the run that is there for its time alone, of the one that is traced, and of all measures together: a
   * piece, whose thread is ended after two time limits of a run, has room for the candidate and all three.
   */
  readonly shareMs: number;
  readonly #options: CaseOptions;

  constructor(options: CaseOptions) {
    this.recorded = options.recorded;
    this.shareMs = options.timeoutMs / 3;
    this.#options = options;
  }

  /** `beforeMs` is null where the recorded program was not run to its end. */
  async run(fact: Fact | EngineError): Promise<{ candidate: CaseRun; beforeMs: number | null }> {
    const { recorded, candidateFirst, timeoutMs } = this.#options;
    const again = (): Promise<CaseRun> | null =>
      recorded.program === null ? null : this.#run(recorded.program, fact, this.shareMs);
    const earlier = candidateFirst ? null : await again();
    const candidate = await this.#run(0, fact, timeoutMs);
    const before = candidateFirst ? await again() : earlier;
    return { candidate, beforeMs: before === null || wasCutOff(before) ? null : before.outcome.engineMs };
  }

  /** What the candidate's run goes through. It is another run than the one whose time counts; empty where it was cut off. */
  async trace(fact: Fact | EngineError): Promise<Trace> {
    const run = await this.#run(0, fact, this.shareMs, true);
    return wasCutOff(run) ? {} : (run.outcome.trace ?? {});
  }

  async #run(index: number, fact: Fact | EngineError, timeoutMs: number, trace = false): Promise<CaseRun> {
    const { recorded, means } = this.#options;
    const program = means.loaded[index];
    if (program === undefined) throw new Error(`a comparison has no program ${index}`);
    const { env, secrets, wasRead } = variablesFor(program.getsSecrets, means.configuration);
    const outcome = await outcomeOf(program.program, fact, {
      env,
      deadline: performance.now() + timeoutMs,
      now: recorded.clock,
      random: randomFrom(recorded.seed),
      secrets,
      trace,
      http: 'withheld',
    });
    const calledHost = outcome.status === 'FAILED' && outcome.error.code === 'http_withheld';
    return { outcome, secrets, withheld: calledHost ? 'http' : wasRead() ? 'secret' : null };
  }
}

const wasCutOff = ({ outcome, withheld }: CaseRun): boolean =>
  withheld !== null || (outcome.status === 'FAILED' && outcome.error.code === 'timeout');

interface Variables {
  readonly env: ValueObject;
  readonly secrets: RunSecrets;
  /** Whether a secret was read whose value was withheld. */
  readonly wasRead: () => boolean;
}

/**
 * An author who may neither deploy nor read secrets could have a program of their own spell one out, letter by letter, and
 * read that in the differences: only programs that were in force get the values.
 */
function variablesFor(getsSecrets: boolean, configuration: LoadedConfiguration): Variables {
  const { env, secretNames, redactor } = configuration;
  if (getsSecrets || secretNames.size === 0) return { env, secrets: redactor.forRun(), wasRead: () => false };
  let read = false;
  const same = (text: string): string => text;
  const secrets: RunSecrets = {
    noteRead: (name) => void (read ||= secretNames.has(name)),
    noteAllRead: () => void (read = true),
    text: same,
    json: same,
    message: same,
  };
  return { env: withoutSecrets(configuration), secrets, wasRead: () => read };
}

const withoutSecrets = ({ env, secretNames }: LoadedConfiguration): ValueObject =>
  Object.fromEntries(Object.entries(env).map(([name, value]) => [name, secretNames.has(name) ? null : value]));

type Options = Parameters<Exclude<Loaded, EngineError>['run']>[1];

/** Of a program that did not load, or of a fact that no run can be given, it is a failure. */
function outcomeOf(program: Loaded, read: Fact | EngineError, options: Options): Outcome | Promise<Outcome> {
  if (program instanceof EngineError) return failedOutcome(program);
  const given = factFor(program, read);
  if (given instanceof EngineError) return failedOutcome(given);
  return program.run(given.fact, { ...options, plainFact: given.plain, select: given.select });
}

/** As it would be recorded. */
export function resultOf({ outcome, secrets }: CaseRun): { readonly completed: boolean; readonly text: string } {
  if (outcome.status === 'FAILED') return failure(secrets.text(outcome.message));
  try {
    return { completed: true, text: secrets.json(new JsonTexts(outcome.plain).of(outcome.result)) };
  } catch (error) {
    // Of a result that nests too deep.
    if (error instanceof EngineError) return failure(error.message);
    throw error;
  }
}

const failure = (message: string): { completed: false; text: string } => ({
  completed: false,
  text: JSON.stringify({ error: message }),
});
