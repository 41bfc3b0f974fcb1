import { CommanderError } from 'commander';
import { describeFailure, exitCodes, type ExitCode } from './failures.js';
import { createProgram } from './program.js';
import { createSession, type Terminal } from './session.js';

/**
 * Runs one command line and returns its exit code; what is not `done` has a message on standard error.
 * Never throws and never ends the process, so that everything written is flushed.
 */
export async function runCli(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  // A reader that goes away (`| head`) is no error.
  terminal.stdout.on('error', () => undefined);
  terminal.stderr.on('error', () => undefined);
  const session = createSession(terminal);
  try {
    const program = await createProgram(session, terminal, args);
    await program.parseAsync([...args], { from: 'user' });
    return session.exit;
  } catch (error) {
    // Commander has already written its message; asking for help or the version is no failure.
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done : exitCodes.badUsage;
    const { message, exit } = describeFailure(error, session.databaseAddress());
    session.note(message);
    return exit;
  } finally {
    await session.close();
  }
}
