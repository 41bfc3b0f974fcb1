import { createInterface } from 'node:readline/promises';
import { Writable, type Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { Refusal } from '../failures.js';

/** Shows nothing of what is typed. */
const nowhere = (): Writable => new Writable({ write: (_chunk, _encoding, done) => done() });

interface PromptStreams {
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stderr: Writable;
}

/** One line from the terminal, which is not shown; where standard input is no terminal, all of it but its last line end. */
export async function readSecret({ stdin, stderr }: PromptStreams, prompt: string): Promise<string> {
  if (stdin.isTTY !== true) return (await buffer(stdin)).toString('utf8').replace(/\r?\n$/, '');
  stderr.write(`${prompt} (it is not shown): `);
  const lines = createInterface({ input: stdin, output: nowhere(), terminal: true, historySize: 0 });
  const gone = new AbortController();
  for (const event of ['SIGINT', 'close'] as const) lines.once(event, () => gone.abort());
  try {
    return await lines.question('', { signal: gone.signal });
  } catch {
    throw new Refusal('nothing was entered.');
  } finally {
    lines.close();
    stderr.write('\n');
  }
}
