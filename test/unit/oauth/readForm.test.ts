import { createServer, type IncomingMessage, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { expect } from 'chai';
import { readForm, type Form } from '../../../src/oauth/form.js';
import { OAuthError } from '../../../src/oauth/oauthError.js';

const media = 'application/x-www-form-urlencoded';

describe('readForm', () => {
  let server: Server;
  let port: number;
  let read: Promise<Form>;
  let started: Promise<void>;
  beforeEach(async () => {
    let begun: () => void;
    started = new Promise((resolve) => (begun = resolve));
    server = createServer((request: IncomingMessage, response) => {
      read = readForm(request, {
        owner: '',
        grow: () => undefined,
        growLater: () => Promise.resolve(),
        shrink: () => undefined,
      });
      begun();
      read.then(
        () => response.end(),
        () => response.end(),
      );
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    ({ port } = server.address() as AddressInfo);
  });
  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  /** Sends it as it is; closes the connection afterwards when told to. */
  async function send(headers: readonly string[], body: string, cut = false): Promise<void> {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => undefined);
    const length = headers.some((line) => line.startsWith('Content-Length')) ? [] : [`Content-Length: ${body.length}`];
    socket.write(['POST / HTTP/1.1', 'Host: a', ...length, ...headers, '', body].join('\r\n'));
    await started;
    if (cut) socket.destroy();
  }
  const refusal = async (): Promise<OAuthError> => {
    const error: unknown = await read.catch((thrown: unknown) => thrown);
    return error instanceof OAuthError ? error : expect.fail(String(error));
  };

  for (const type of [media, `${media}; charset=utf-8`, `${media.toUpperCase()} ; a=b`]) {
    it(`reads ${type}`, async () => {
      await send([`Content-Type: ${type}`], 'a=1&b=%C3%A4');
      expect([...(await read)]).to.deep.equal([
        ['a', '1'],
        ['b', 'ä'],
      ]);
    });
  }

  for (const type of ['application/json', `x${media}`, '']) {
    it(`refuses ${type === '' ? 'no type' : type}`, async () => {
      await send(type === '' ? [] : [`Content-Type: ${type}`], 'a=1');
      expect(await refusal()).to.include({
        code: 'invalid_request',
        status: 400,
        message: 'The body must be application/x-www-form-urlencoded.',
      });
    });
  }

  it('refuses a compressed body', async () => {
    await send([`Content-Type: ${media}`, 'Content-Encoding: gzip'], 'a=1');
    expect(await refusal()).to.include({ code: 'invalid_request', message: 'The body must not be compressed.' });
  });

  it('takes 16 KB, and not a byte more', async () => {
    await send([`Content-Type: ${media}`], `a=${'x'.repeat(16 * 1024 - 2)}`);
    expect((await read).get('a')).to.have.length(16 * 1024 - 2);
    started = new Promise((resolve) => server.once('request', () => resolve()));
    await send([`Content-Type: ${media}`], `a=${'x'.repeat(16 * 1024 - 1)}`);
    const problem = await refusal();
    expect(problem).to.include({
      code: 'invalid_request',
      status: 413,
      message: 'The body may have at most 16384 bytes.',
    });
  });

  it('refuses a body that ends before its length, and keeps the cause for the log', async () => {
    await send([`Content-Type: ${media}`, 'Content-Length: 10'], 'a=1', true);
    const problem = await refusal();
    expect(problem).to.include({
      code: 'invalid_request',
      status: 400,
      message: 'The body ended too early, or could not be decompressed.',
    });
    expect(problem.cause).to.be.instanceOf(Error);
  });
});
