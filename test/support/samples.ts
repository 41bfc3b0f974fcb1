import { spawn, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stop, transform } from 'esbuild';
import type { Language, Shown } from './documents.js';

/** The samples of one document. */
export type Samples = readonly Shown[];

export const hasPython = spawnSync('python3', ['--version']).status === 0;

/** Stands before what a sample prints. */
const mark = (index: number): string => `=== sample ${index} ===`;
const marks = /\n?=== sample (\d+) ===\n/;

interface Place {
  /** Where the shell and the programs run, and where the programs are written. */
  readonly directory: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Run by the shells of all documents but the first. */
  readonly prelude?: string;
}

/**
 * Runs samples as somebody who pastes them. Those of a shell run one after the other in one shell, those of the first
 * document before all others, which have its variables, each document in a shell of its own. What a document has in
 * TypeScript is one program, and so is what it has in Python; both see the shell's variables.
 * @returns what each sample of each document printed, errors among it
 */
export async function runSamples(
  documents: readonly Samples[],
  { directory, environment, prelude = '' }: Place,
): Promise<string[][]> {
  let count = 0;
  const numbered = documents.map((samples) => samples.map((sample) => ({ ...sample, index: count++ })));
  const scripts = await Promise.all(numbered.map((samples) => scriptOf(samples, directory)));
  await stop();
  const [first = '', ...others] = scripts;
  // Programs see variables that were exported.
  const script = `exec 2>&1\nset -a\n${first}${others.map((other) => `(\n${prelude}\n${other})\n`).join('')}`;
  const printed = await run(script, directory, environment);
  const [, ...parts] = printed.split(marks);
  const outputs = new Map<number, string>();
  for (let at = 0; at < parts.length; at += 2) outputs.set(Number(parts[at]), ended(parts[at + 1] ?? ''));
  return numbered.map((samples) => samples.map(({ index }) => outputs.get(index) ?? '(it did not run)\n'));
}

/** As a terminal shows it. */
const ended = (text: string): string => (text === '' || text.endsWith('\n') ? text : `${text}\n`);

type Numbered = Shown & { readonly index: number };

const runners: Readonly<Record<Exclude<Language, 'sh'>, (program: string) => string>> = {
  ts: (program) => `node ${program}.mjs`,
  python: (program) => `python3 -u ${program}.py`,
};

/** The shell's samples, and then the programs of the others. */
async function scriptOf(samples: readonly Numbered[], directory: string): Promise<string> {
  const of = (language: Language): readonly Numbered[] => samples.filter((sample) => sample.language === language);
  const shell = of('sh').map(({ code, index }) => `printf '\\n%s\\n' '${mark(index)}'\n${code}\n`);
  const program = (language: 'ts' | 'python', text: string, ending: string): string => {
    if (text === '') return '';
    const name = join(directory, `program-${of(language)[0]?.index ?? ''}`);
    writeFileSync(`${name}.${ending}`, text);
    return `${runners[language](name)}\n`;
  };
  const typed = of('ts').map(({ code, index }) => `console.log('\\n${mark(index)}');\n${code}`);
  const { code } = await transform(typed.join('\n'), { loader: 'ts', format: 'esm', target: 'node20' });
  const python = of('python').map(({ code: text, index }) => `print('\\n${mark(index)}')\n${text}`);
  return [...shell, program('ts', code, 'mjs'), hasPython ? program('python', python.join('\n'), 'py') : ''].join('');
}

function run(script: string, cwd: string, environment: Readonly<Record<string, string>>): Promise<string> {
  const shell = spawn('bash', ['-c', script], {
    cwd,
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let printed = '';
  shell.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  return new Promise((resolve, reject) => {
    shell.once('error', reject);
    shell.once('close', () => resolve(printed));
  });
}
