import { createServer, type IncomingMessage, type Server } from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { TestApp } from './app.js';

/** A request that was passed on. */
export interface RecordedRequest {
  readonly method: string;
  readonly path: string;
}

/** Passes requests on to the service, and notes them. @param first is awaited before each is passed on */
export function record(
  app: Pick<TestApp, 'baseUrl'>,
  asked: RecordedRequest[],
  first: (request: RecordedRequest) => Promise<unknown> = () => Promise.resolve(),
): Promise<Server> {
  const pass = async (request: IncomingMessage): Promise<Response> => {
    const body = await buffer(request);
    const { pathname } = new URL(request.url ?? '/', app.baseUrl);
    const {
      host: _host,
      connection: _connection,
      'content-length': _length,
      'transfer-encoding': _coding,
      ...headers
    } = request.headers;
    const noted = { method: request.method ?? '', path: pathname };
    asked.push(noted);
    await first(noted);
    return fetch(app.baseUrl + (request.url ?? '/'), {
      method: request.method ?? 'GET',
      headers: headers as Record<string, string>,
      ...(body.length === 0 ? {} : { body: new Uint8Array(body) }),
    });
  };
  const server = createServer((request, response) => {
    pass(request)
      .then(async (answer) => {
        const {
          'transfer-encoding': _coding,
          'content-encoding': _encoding,
          'content-length': _length,
          ...headers
        } = Object.fromEntries(answer.headers);
        response.writeHead(answer.status, headers).end(Buffer.from(await answer.arrayBuffer()));
      })
      .catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined));
  });
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}
