import type { RunDone, RunStopped } from '../../workers/protocol.js';
import type { Programs } from '../decisions/programs.js';
import type { LoadedConfiguration } from '../environments/configurations.js';
import type { Pool } from '../pool/pool.js';
import type { RequestTrace } from '../tracing/requestTrace.js';

export interface ProgramRun {
  readonly workspaceId: string;
  readonly decisionId: string;
  readonly version: number;
  /** The request's body; its `fact` is the input. */
  readonly bodyText: string;
  readonly traced: boolean;
  /** Null for evaluations, where `$env` is empty. */
  readonly configuration: LoadedConfiguration | null;
  readonly gone: () => boolean;
  readonly trace: RequestTrace | undefined;
}

/** Finds the program and runs it on a thread; gives the thread what it turns out to lack. */
export async function runProgram(
  { programs, pool }: { programs: Programs; pool: Pool },
  { workspaceId, decisionId, version, bodyText, traced, configuration, gone, trace }: ProgramRun,
): Promise<RunDone | RunStopped> {
  const { programId } = await programs.programOf(workspaceId, decisionId, version);
  return pool.run(
    workspaceId,
    { programId, configurationId: configuration?.id ?? '', body: bodyText, traced },
    {
      gone,
      trace,
      provide: async (miss) => ({
        ...(miss.program ? { bundle: await programs.bundle(programId) } : {}),
        ...(miss.configuration && configuration !== null ? { configuration: configuration.text } : {}),
      }),
    },
  );
}
