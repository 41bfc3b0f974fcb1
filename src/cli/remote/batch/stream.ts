import type { Readable } from 'node:stream';
import { request } from 'undici';
import type { Operation } from '#openapi/operations.gen.js';
import { addressOf, refusalOf, type Request, type Service } from '../service.js';

interface StreamRequest extends Pick<Request, 'params'> {
  readonly idempotencyKey: string;
  /** Lines of JSON. */
  readonly body: Readable;
}

/**
 * Sends lines and gives those of the answer, which come while they are sent. They end early where the connection is lost.
 * @throws ServiceRefusal where the service refuses the request before the first line
 */
export async function streamLines(
  service: Service,
  operation: Operation<unknown>,
  { params = {}, idempotencyKey, body }: StreamRequest,
): Promise<AsyncIterable<string>> {
  const { connection } = service;
  const token = await service.token();
  const answer = await request(addressOf(connection.url, operation, { params }), {
    method: operation.method,
    headers: {
      Authorization: `Bearer ${token.text}`,
      'X-Workspace-Id': service.workspaceId(),
      'Content-Type': 'application/x-ndjson',
      'Idempotency-Key': idempotencyKey,
    },
    body,
    // A slow decision may take long for its first line.
    bodyTimeout: 0,
  });
  if (answer.statusCode !== 200) {
    const type = answer.headers['content-type'];
    const headers = new Headers(typeof type === 'string' ? { 'content-type': type } : {});
    throw refusalOf({ status: answer.statusCode, headers, text: await answer.body.text() }, connection);
  }
  return linesOf(answer.body);
}

async function* linesOf(body: Readable): AsyncGenerator<string> {
  // A line that was cut off is not one.
  let rest = '';
  body.setEncoding('utf8');
  try {
    for await (const piece of body as AsyncIterable<string>) {
      const lines = (rest + piece).split('\n');
      rest = lines.pop() ?? '';
      yield* lines;
    }
  } catch {
    // The connection is lost: what came until then counts.
  }
}
