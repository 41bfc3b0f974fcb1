import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import type { Command } from 'commander';
import { operations } from '#openapi/operations.gen.js';
import { projectRoot } from '../../db/root.js';
import { createProgram } from '../../src/cli/program.js';
import { createSession } from '../../src/cli/session.js';

/** Every command and group of commands of the program, by its words, in the order of --help. */
export async function commandTree(): Promise<string[][]> {
  const nowhere = new Writable({ write: (_chunk, _encoding, next) => next() });
  const terminal = {
    environment: {},
    directory: '.',
    stdin: process.stdin,
    stdout: nowhere,
    stderr: nowhere,
  };
  const below = (command: Command, words: readonly string[]): string[][] => [
    [...words],
    ...command.commands.flatMap((each) => below(each, [...words, each.name()])),
  ];
  return below(await createProgram(createSession(terminal), terminal), []);
}

/** Every command of the program that has no commands below it, by its words. */
export async function commands(): Promise<string[]> {
  const lines = (await commandTree()).map((words) => words.join(' '));
  return lines.filter((line) => line !== '' && !lines.some((other) => other.startsWith(`${line} `)));
}

/** The operations that the sources of the command line name. */
export function usedOperations(): ReadonlySet<string> {
  const folder = join(projectRoot, 'src', 'cli');
  const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
  const named = sources.flatMap((name) => [...readFileSync(join(folder, name), 'utf8').matchAll(/operations\.(\w+)/g)]);
  return new Set(named.map(([, name = '']) => name).filter((name) => Object.hasOwn(operations, name)));
}
