import { Writable } from 'node:stream';
import type { Command } from 'commander';
import { createProgram } from '../../src/cli/program.js';
import { createSession } from '../../src/cli/session.js';

/** Every command of the program that has no commands below it, by its words. */
export async function commands(): Promise<string[]> {
  const nowhere = new Writable({ write: (_chunk, _encoding, next) => next() });
  const terminal = {
    environment: {},
    directory: '.',
    stdin: process.stdin,
    stdout: nowhere,
    stderr: nowhere,
  };
  const leaves = (command: Command, words: readonly string[]): string[] =>
    command.commands.length === 0
      ? [words.join(' ')]
      : command.commands.flatMap((each) => leaves(each, [...words, each.name()]));
  return leaves(await createProgram(createSession(terminal), terminal), []);
}
