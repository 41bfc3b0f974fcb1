import type { RunDone, RunStopped } from '../../workers/protocol.js';
import type { Programs } from '../decisions/programs/programs.js';
import type { LoadedConfiguration } from '../environments/configurations.js';
import { Problem } from '../errors.js';
import type { LogicRequest } from '../http/routes/logicRoute.js';
import type { Pool } from '../pool/pool.js';
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

export interface ProgramRun {
  readonly decisionId: string;
  readonly version: number;
  readonly traced: boolean;
  /** Null for evaluations, where `$env` is empty. */
  readonly configuration: LoadedConfiguration | null;
}

/**
 * Finds the program and runs it on a thread, which is given what it lacks. The request's reservation is then set to the
 * reply's real size. Throws `overloaded`, with nothing run, where the workspace meanwhile holds more than its share.
 */
export async function runProgram(
  { programs, pool, sizes }: RunDependencies,
  { workspaceId, bodyText, gone, trace, reservation }: RunRequest,
  { decisionId, version, traced, configuration }: ProgramRun,
): Promise<RunDone | RunStopped> {
  const { programId } = await programs.programOf(workspaceId, decisionId, version);
  try {
    const reply = await pool.run(
      workspaceId,
      { programId, workspaceId, configurationId: configuration?.id ?? '', body: bodyText, traced },
      {
        gone: () => gone() || reservation.isAboveShare,
        trace,
        provide: async (miss) => ({
          ...(miss.program ? { bundle: await programs.bundle(programId) } : {}),
          ...(miss.configuration && configuration !== null ? { configuration: configuration.text } : {}),
        }),
      },
    );
    sizes.settle(workspaceId, reservation, { bodyText, reply });
    return reply;
  } catch (error) {
    const refused = error instanceof Problem && error.code === 'overloaded';
    throw refused && !gone() && reservation.isAboveShare ? reservation.refusal() : error;
  }
}
