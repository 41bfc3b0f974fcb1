import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Seen {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export interface TestServer {
  readonly port: number;
  /** `http://127.0.0.1:<port>` */
  readonly origin: string;
  readonly seen: Seen[];
  close(): Promise<void>;
}

/** A real HTTP server on the loopback that remembers what it was asked. */
export async function testServer(answer: (request: Seen, response: ServerResponse) => void): Promise<TestServer> {
  const seen: Seen[] = [];
  const server: Server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      const one = { method, url, headers, body: Buffer.concat(chunks).toString() };
      seen.push(one);
      answer(one, response);
    });
  });
  // Both families, so that `localhost` reaches it whichever way it resolves.
  await new Promise<void>((resolve) => server.listen(0, '::', resolve));
  const { port } = server.address() as AddressInfo;
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { port, origin: `http://127.0.0.1:${port}`, seen, close };
}

/** The same for a `describe`. */
export function useTestServer(...answer: Parameters<typeof testServer>): TestServer {
  const server = {} as TestServer;
  before(async () => void Object.assign(server, await testServer(...answer)));
  after(() => server.close());
  return server;
}

export function json(response: ServerResponse, value: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json', 'x-tag': ['a', 'b'] }).end(JSON.stringify(value));
}
