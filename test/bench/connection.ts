import { connect, type Socket } from 'node:net';

/** What came back: header lines and body as bytes in text (latin1), since most load looks at neither. */
export interface Answer {
  readonly status: number;
  readonly head: string;
  readonly body: string;
}

export interface Sent {
  readonly method: string;
  readonly baseUrl: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Empty for none. */
  readonly body: string;
}

/** A request as it goes over the wire; made once where it is sent often. */
export function requestBytes({ method, baseUrl, path, headers, body }: Sent): Buffer {
  const length = body === '' ? {} : { 'Content-Length': String(Buffer.byteLength(body)) };
  const all = { Host: new URL(baseUrl).host, ...headers, ...length };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`);
}

/**
 * One kept-alive connection, one request at a time: load that costs the machine under test little. It reads answers with
 * a Content-Length, in chunks or without a body, which are all that Verdict and its peers give. A lost one is opened again.
 */
export class Connection {
  readonly #host: string;
  readonly #port: number;
  readonly #longestMs: number;
  #socket: Socket | undefined;
  #received = '';
  /** Bytes of the whole answer, once its head is there. */
  #expected: number | undefined;
  #chunked = false;
  #answered: ((answer: Answer | undefined) => void) | undefined;

  /** @param longestMs a connection on which nothing came for as long is given up */
  constructor(baseUrl: string, longestMs = 20_000) {
    this.#longestMs = longestMs;
    const { hostname, port } = new URL(baseUrl);
    this.#host = hostname;
    this.#port = Number(port);
  }

  /** Resolves with undefined when the connection was lost, or could not be had. */
  async send(request: Buffer): Promise<Answer | undefined> {
    if (this.#socket === undefined) await this.#connect();
    const socket = this.#socket;
    if (socket === undefined) return undefined;
    return new Promise((resolve) => {
      this.#answered = resolve;
      socket.write(request);
    });
  }

  close(): void {
    this.#socket?.destroy();
  }

  #connect(): Promise<void> {
    const socket = connect({ host: this.#host, port: this.#port, noDelay: true });
    this.#socket = socket;
    this.#received = '';
    this.#expected = undefined;
    socket.setEncoding('latin1');
    socket.setTimeout(this.#longestMs, () => socket.destroy());
    socket.on('data', (text: string) => this.#read(text));
    socket.on('error', () => undefined);
    return new Promise((resolve) => {
      socket.once('connect', () => resolve());
      socket.once('close', () => {
        this.#socket = undefined;
        this.#settle(undefined);
        resolve();
      });
    });
  }

  #read(text: string): void {
    this.#received += text;
    // Looked for once: each look at a text that was put together copies all of it.
    if (this.#expected === undefined) {
      const headEnd = this.#received.indexOf('\r\n\r\n');
      if (headEnd === -1) return;
      const head = this.#received.slice(0, headEnd + 2);
      this.#chunked = /\r\ntransfer-encoding: chunked/i.test(head);
      this.#expected = headEnd + 4 + Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0);
    }
    if (this.#chunked ? !this.#received.endsWith('\r\n0\r\n\r\n') : this.#received.length < this.#expected) return;
    const headEnd = this.#received.indexOf('\r\n\r\n');
    const head = this.#received.slice(0, headEnd + 2);
    const body = this.#chunked ? joined(this.#received, headEnd + 4) : this.#received.slice(headEnd + 4);
    this.#received = '';
    this.#expected = undefined;
    this.#settle({ status: Number(head.slice(9, 12)), head, body });
  }

  #settle(answer: Answer | undefined): void {
    const answered = this.#answered;
    this.#answered = undefined;
    answered?.(answer);
  }
}

/** A body without the marks of its chunks (RFC 9112, section 7.1). */
function joined(received: string, start: number): string {
  const chunks: string[] = [];
  for (let at = start; ;) {
    const sizeEnd = received.indexOf('\r\n', at);
    const size = parseInt(received.slice(at, sizeEnd), 16);
    if (!(size > 0)) return chunks.join('');
    chunks.push(received.slice(sizeEnd + 2, sizeEnd + 2 + size));
    at = sizeEnd + 2 + size + 2;
  }
}
