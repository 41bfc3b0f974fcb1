import { randomUUID } from 'node:crypto';
import {
  createReadStream,
  createWriteStream,
  existsSync,
  readFileSync,
  truncateSync,
  writeFileSync,
  type WriteStream,
} from 'node:fs';
import { once } from 'node:events';
import { Refusal } from '../../failures.js';

/** What a batch was begun with, kept beside its results so that it can be resumed. */
interface Begun {
  readonly idempotencyKey: string;
  readonly environmentId: string;
  readonly decisionId: string;
}

/** Answers that are kept already. */
export interface Kept {
  readonly answers: number;
  readonly failed: number;
}

/** The file of results, one line an item in their order, and what tells how to go on with it. */
export class Results {
  readonly idempotencyKey: string;
  readonly kept: Kept;
  readonly #stream: WriteStream;

  private constructor(path: string, idempotencyKey: string, kept: Kept) {
    this.idempotencyKey = idempotencyKey;
    this.kept = kept;
    this.#stream = createWriteStream(path, { flags: 'a' });
  }

  /** @throws Refusal where the file is there already, or is another batch's */
  static async open(path: string, ref: Omit<Begun, 'idempotencyKey'>, resume: boolean): Promise<Results> {
    const statePath = `${path}.state`;
    if (resume && existsSync(statePath)) {
      const begun = JSON.parse(readFileSync(statePath, 'utf8')) as Begun;
      if (begun.environmentId !== ref.environmentId || begun.decisionId !== ref.decisionId) {
        throw new Refusal(`${path} holds results of another decision or environment.`);
      }
      return new Results(path, begun.idempotencyKey, await keptIn(path));
    }
    if (existsSync(path)) {
      throw new Refusal(`${path} is there already. Go on with it by --resume, or name another file by --output.`);
    }
    const idempotencyKey = randomUUID();
    writeFileSync(statePath, `${JSON.stringify({ idempotencyKey, ...ref } satisfies Begun)}\n`);
    writeFileSync(path, '');
    return new Results(path, idempotencyKey, { answers: 0, failed: 0 });
  }

  async add(line: string): Promise<void> {
    if (!this.#stream.write(`${line}\n`)) await once(this.#stream, 'drain');
  }

  async close(): Promise<void> {
    this.#stream.end();
    await once(this.#stream, 'close');
  }
}

/** Counts whole lines, and cuts off one that was not written to its end. */
async function keptIn(path: string): Promise<Kept> {
  if (!existsSync(path)) return { answers: 0, failed: 0 };
  let answers = 0;
  let failed = 0;
  let whole = 0;
  let at = 0;
  let rest = '';
  for await (const piece of createReadStream(path, 'utf8') as AsyncIterable<string>) {
    const lines = (rest + piece).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      at += Buffer.byteLength(line) + 1;
      whole = at;
      answers++;
      if (isFailed(line)) failed++;
    }
  }
  truncateSync(path, whole);
  return { answers, failed };
}

/** By the members before the result, in which anything may stand. */
export const isFailed = (line: string): boolean =>
  /^\{"index":\d+,"key":(?:null|"(?:[^"\\]|\\.)*"),"id":(?:null|"[^"]*"),"status":"FAILED"/.test(line);
