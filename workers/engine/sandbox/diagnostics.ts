import type { Diagnostic } from '../errors.js';
import type { Thrown } from './machine.js';
import type { UserModule } from './userModule.js';

const timeoutMessage = 'the function ran past the time limit of the run and was stopped';

export const diagnostics = {
  timeout: (): Diagnostic => ({ code: 'timeout', message: timeoutMessage }),
  neverSettles: (): Diagnostic => ({
    code: 'timeout',
    message: 'the function awaits a promise that nothing will ever settle, so it was stopped before the time limit',
  }),
  memory: (): Diagnostic => ({ code: 'limit_memory', message: 'the function used more memory than a run may' }),
  input: (): Diagnostic => ({ code: 'limit_memory', message: 'the input is too large for a function node' }),
  output: (length: number, limit: number): Diagnostic => ({
    code: 'limit_output',
    message: `the function's output has ${length} characters as JSON, more than ${limit}`,
  }),
  depth: (limit: number): Diagnostic => ({
    code: 'limit_depth',
    message: `the function's output nests deeper than ${limit} levels`,
  }),
  hostCalls: (what: string, limit: number): Diagnostic => ({
    code: 'limit_steps',
    message: `the functions of this run called ${what} more than ${limit} times`,
  }),
  broken: (): Diagnostic => ({ code: 'function_failed', message: 'the function broke the sandbox that it ran in' }),
  recursion: (): Diagnostic => ({ code: 'function_failed', message: 'the function calls itself too deeply' }),
  withheld: (): Diagnostic => ({
    code: 'http_withheld',
    message: 'the function calls another host, which a repetition may not',
  }),
  over: (): Diagnostic => ({ code: 'function_failed', message: 'the run is over' }),
} as const;

/**
 * An error of the author's code, with its location in what the author wrote where the stack tells.
 * @param redact is applied before the message is shortened: part of a secret would not be recognised
 */
export function userDiagnostic(error: Thrown, module: UserModule, redact: (text: string) => string): Diagnostic {
  const plain = error.name === '' || error.name === 'Error';
  if (error.name === '' && error.stack === '' && error.message === 'null')
    return { code: 'function_failed', message: 'the function threw null' };
  const text = redact(`${plain ? '' : `${error.name}: `}${error.message}`);
  const firstLine = /^[^\n]*/.exec(text)?.[0] ?? '';
  const message = firstLine === '' ? 'the function threw an error without a message' : firstLine.slice(0, 500);
  const location = locationOf(error.stack, module);
  if (location === undefined) return { code: 'function_failed', message };
  const { line, column, start, text: whole } = location;
  const source = module.written;
  const found = { code: 'function_failed', message, field: 'source', source } as const;
  if (!module.keepsColumns) {
    const from = start + whole.length - whole.trimStart().length;
    return { ...found, span: [from, from + whole.trim().length], hint: `line ${line}` };
  }
  // QuickJS counts code points.
  const units = Array.from(whole)
    .slice(0, column - 1)
    .join('').length;
  return { ...found, span: wordAt(source, start + units), hint: `line ${line}, column ${column}` };
}

interface SourceLocation {
  readonly line: number;
  readonly column: number;
  readonly text: string;
  /** Of the line, in UTF-16 units. */
  readonly start: number;
}

/** The innermost frame that stands in the author's own module: `at handler (node:f:3:14)` or `at node:f:1:23`. */
function locationOf(stack: string, module: UserModule): SourceLocation | undefined {
  const at = stack.indexOf(`${module.name}:`);
  if (at < 0) return undefined;
  const match = /^(\d+):(\d+)/.exec(stack.slice(at + module.name.length + 1));
  if (match === null) return undefined;
  const line = Number(match[1]);
  const column = Number(match[2]);
  const lines = module.written.split('\n');
  const text = lines[line - 1];
  if (text === undefined) return undefined;
  return { line, column, text, start: lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0) };
}

/** The word at a location; calls are reported at their parenthesis, so there it is the word before. */
function wordAt(source: string, offset: number): readonly [start: number, end: number] {
  const before = /[\w$.]+$/.exec(source.slice(Math.max(0, offset - 200), offset));
  if (source[offset] === '(' && before !== null) return [offset - before[0].length, offset];
  const word = /^[\w$]+/.exec(source.slice(offset, offset + 200));
  return [offset, Math.min(source.length, offset + (word?.[0].length ?? 1))];
}
