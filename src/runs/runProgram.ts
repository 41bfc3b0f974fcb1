import type { RunDone, RunStopped } from '../../workers/protocol.js';
import type { Programs } from '../decisions/programs/programs.js';
import type { LoadedConfiguration } from '../environments/configurations.js';
import { Problem } from '../errors.js';
import type { LogicRequest } from '../api/logicRoute.js';
import type { Pool, RunOptions } from '../pool/pool.js';
import type { RunCircumstances } from './recorder/circumstances.js';
import type { ResultSizes } from './resultSizes.js';

export interface RunDependencies {
  readonly programs: Programs;
  readonly pool: Pool;
  readonly sizes: ResultSizes;
}

/** The request of a run; its body's `fact` is the input. */
export type RunRequest = Pick<
  LogicRequest<unknown, unknown, unknown>,
  'workspaceId' | 'bodyText' | 'gone' | 'trace' | 'reservation'
>;

/** 32 bits for a run's random numbers. */
export const randomSeed = (): number => (Math.random() * 2 ** 32) | 0;

export interface ProgramRun {
  readonly decisionId: string;
  readonly version: number;
  readonly traced: boolean;
  /** Null for evaluations that may call no host: then `$env` is empty, and there is nothing else. */
  readonly configuration: LoadedConfiguration | null;
  /** It repeats a run that may have called hosts: one that calls any ends with `http_withheld`. */
  readonly withoutHttp?: true | undefined;
  /** The program is kept, because a record will name it. */
  readonly kept: boolean;
}

/** A reply, and what the run saw besides its fact. */
export interface Ran {
  readonly reply: RunDone | RunStopped;
  readonly circumstances: RunCircumstances;
}

/**
 * Finds the program and runs it on a thread. The request's reservation then has the reply's real size, and a program that ran
 * in an environment is kept, so that a record may name it. Throws `overloaded`, with nothing run, where the workspace
 * meanwhile holds more than its share.
 */
export async function runProgram(
  dependencies: RunDependencies,
  { workspaceId, bodyText, gone, trace, reservation }: RunRequest,
  { decisionId, version, traced, configuration, withoutHttp, kept: isKept }: ProgramRun,
): Promise<Ran> {
  const { programs, sizes } = dependencies;
  const { programId } = await programs.programOf(workspaceId, decisionId, version);
  const kept = isKept && version === 0 ? programs.keep(workspaceId, programId) : undefined;
  // Awaited below, unless the run is refused.
  kept?.catch(() => undefined);
  try {
    const ran = await runKnown(
      dependencies,
      { workspaceId, programId, configuration, body: bodyText, traced, withoutHttp },
      { gone: () => gone() || reservation.isAboveShare, trace },
    );
    sizes.settle(workspaceId, reservation, { bodyText, reply: ran.reply });
    if (kept !== undefined) await kept;
    return ran;
  } catch (error) {
    const refused = error instanceof Problem && error.code === 'overloaded';
    throw refused && !gone() && reservation.isAboveShare ? reservation.refusal() : error;
  }
}

/** A run whose program is known: `programOf` gave it a moment ago. */
export interface KnownRun extends Omit<ProgramRun, 'decisionId' | 'version' | 'kept'> {
  readonly workspaceId: string;
  readonly programId: string;
  /** JSON text whose `fact` is the input. */
  readonly body: string;
}

/** Runs it on a thread, by a clock and a seed of its own; gives the thread what it turns out to lack. Throws `overloaded`. */
export async function runKnown(
  { pool, programs }: Pick<RunDependencies, 'pool' | 'programs'>,
  { workspaceId, programId, configuration, body, traced, withoutHttp }: KnownRun,
  { gone, trace }: { readonly gone: () => boolean; readonly trace?: RunOptions['trace'] },
): Promise<Ran> {
  const clock = Date.now();
  const seed = randomSeed();
  const reply = await pool.run(
    workspaceId,
    { programId, workspaceId, configurationId: configuration?.id ?? '', body, traced, clock, seed, withoutHttp },
    {
      gone,
      trace,
      provide: async (miss) => ({
        ...(miss.program ? { bundle: await programs.bundle(workspaceId, programId) } : {}),
        ...(miss.configuration && configuration !== null ? { configuration: configuration.text } : {}),
      }),
    },
  );
  const configurationRevision = configuration?.revision ?? 0;
  return { reply, circumstances: { programId, configurationRevision, clock, seed, factRedacted: reply.factRedacted } };
}
