import { request, type IncomingMessage } from 'node:http';
import { createInterface, type Interface } from 'node:readline';

/** A request of lines whose answer is read line by line while it is sent. */
export class LineStream {
  readonly #request: ReturnType<typeof request>;
  readonly #response: Promise<IncomingMessage>;
  #lines: AsyncIterator<string> | undefined;
  #reader: Interface | undefined;

  constructor(url: string, headers: Readonly<Record<string, string>>) {
    this.#request = request(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/x-ndjson', ...headers },
    });
    this.#response = new Promise((resolve, reject) => {
      this.#request.once('response', resolve);
      this.#request.once('error', reject);
    });
    this.#response.catch(() => undefined);
    this.#request.on('error', () => undefined);
    this.#request.flushHeaders();
  }

  /** The answer's head. */
  async head(): Promise<{ readonly status: number; readonly headers: IncomingMessage['headers'] }> {
    const { statusCode = 0, headers } = await this.#response;
    return { status: statusCode, headers };
  }

  /** Objects are sent as JSON, texts as they are, each with a line feed. Resolves when more may be sent. */
  send(...lines: readonly (object | string)[]): Promise<void> {
    const text = lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join('');
    return this.write(text);
  }

  write(bytes: string | Buffer): Promise<void> {
    if (this.#request.write(bytes)) return Promise.resolve();
    return new Promise((resolve) => this.#request.once('drain', resolve));
  }

  end(): void {
    this.#request.end();
  }

  cut(): void {
    this.#request.destroy();
  }

  /** The next line, parsed; undefined at the end, be it whole or cut off. */
  async next(): Promise<unknown> {
    this.#lines ??= await this.#open();
    const line = await this.#lines.next();
    return line.done === true ? undefined : (JSON.parse(line.value) as unknown);
  }

  /** All lines that are still to come. */
  async rest(): Promise<unknown[]> {
    const lines: unknown[] = [];
    for (let line = await this.next(); line !== undefined; line = await this.next()) lines.push(line);
    return lines;
  }

  async #open(): Promise<AsyncIterator<string>> {
    const response = await this.#response;
    response.on('error', () => undefined);
    this.#reader = createInterface({ input: response, crlfDelay: Infinity });
    return this.#reader[Symbol.asyncIterator]();
  }
}
