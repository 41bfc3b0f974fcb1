import { CommanderError } from 'commander';
import { describeFailure } from './failures.js';
import { createProgram } from './program.js';
import { createSession, type Terminal } from './session.js';

/** Exit codes of every command (contract.md, section 7). */
export const exitCodes = { done: 0, refused: 1, badUsage: 2 } as const;

/**
 * Runs one command line and returns its exit code: 0 done, 1 refused with a message on standard error, 2 bad usage.
 * Never throws and never ends the process, so that everything written is flushed.
 */
export async function runCli(args: readonly string[], terminal: Terminal): Promise<number> {
  // A reader that goes away (`| head`) is no error.
  terminal.stdout.on('error', () => undefined);
  terminal.stderr.on('error', () => undefined);
  const session = createSession(terminal);
  try {
    await createProgram(session, terminal).parseAsync([...args], { from: 'user' });
    return session.refused ? exitCodes.refused : exitCodes.done;
  } catch (error) {
    // Commander has already written its message; asking for help or the version is no failure.
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done : exitCodes.badUsage;
    const { message, usage } = describeFailure(error, session.databaseAddress());
    session.note(message);
    return usage ? exitCodes.badUsage : exitCodes.refused;
  } finally {
    await session.close();
  }
}
