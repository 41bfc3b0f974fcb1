import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { Problem } from '../../../../src/errors.js';
import { requestLifecycle, RoutedApp } from '../../../../src/http/server/requestLifecycle.js';
import { Router } from '../../../../src/http/server/router.js';
import { createLog } from '../../../../src/log.js';

describe('answering with a problem', () => {
  /** What the request is refused with. */
  let refusal: Error;
  let counted: (string | undefined)[];
  let server: Server;
  before(async () => {
    const requests = { answered: ({ code }: { readonly code: string | undefined }) => void counted.push(code) };
    const around = requestLifecycle({ log: createLog('silent'), requests, tracing: null });
    const router = new Router([{ method: 'GET', path: '/a', handle: () => Promise.reject(refusal) }]);
    const app = new RoutedApp({ around, router });
    server = app.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  after(() => server.close());
  beforeEach(() => {
    counted = [];
  });

  const ask = async (): Promise<unknown> => {
    const { port } = server.address() as AddressInfo;
    const answer = await fetch(`http://127.0.0.1:${port}/a`, { headers: { Connection: 'close' } });
    const requestId = answer.headers.get('x-request-id');
    expect(requestId).to.match(/^[0-9a-f-]{36}$/);
    expect(answer.headers.get('content-type')).to.equal('application/problem+json');
    const body = (await answer.json()) as Record<string, unknown>;
    expect(body).to.include({ requestId, instance: '/a', status: answer.status });
    return body.code;
  };

  it('has its detail in place of a stack, for which Node would parse the whole source map while others wait', () => {
    expect(new Problem('overloaded', 'There is no room.').stack).to.equal('Problem: There is no room.');
  });

  it('says what it is', async () => {
    refusal = new Problem('forbidden', 'No.');
    expect(await ask()).to.equal('forbidden');
    expect(counted).to.deep.equal(['forbidden']);
  });

  it('a file that is missing is a fault of the service, a socket of the database that is missing is not', async () => {
    refusal = Object.assign(new Error('ENOENT: no such file'), { code: 'ENOENT', syscall: 'open' });
    expect(await ask()).to.equal('internal_error');
    refusal = Object.assign(new Error('connect ENOENT'), { code: 'ENOENT', syscall: 'connect' });
    expect(await ask()).to.equal('dependency_unavailable');
  });

  it('a problem that cannot be sent is an internal error with an id, and counted', async () => {
    refusal = new Problem('forbidden', 'No.', { headers: { 'X-Reason': 'a\nb' } });
    expect(await ask()).to.equal('internal_error');
    expect(counted).to.deep.equal(['internal_error']);
  });
});
