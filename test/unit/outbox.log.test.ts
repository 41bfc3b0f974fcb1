import { expect } from 'chai';
import { pino } from 'pino';
import { readConfig } from '../../src/config/config.js';
import { deliver } from '../../src/outbox/deliver.js';
import { sealContent } from '../../src/outbox/message.js';
import { createTransports } from '../../src/outbox/transports.js';
import { createEncryption } from '../../src/storage/encryption.js';
import { newId } from '../../src/storage/ids.js';

describe('messages without a gateway', () => {
  const encryption = createEncryption(Buffer.alloc(32, 1));
  const link = 'https://flow.example/start/abc';

  /** What the log says of a text, and before it. */
  async function logged(settings: Record<string, string>): Promise<{ warnings: string[]; line: object }> {
    const lines: { level: number; msg: string }[] = [];
    const log = pino({ base: null }, { write: (line: string) => void lines.push(JSON.parse(line) as never) });
    const needed = { DATABASE_URL: 'mysql://u:p@localhost/v', ENCRYPTION_KEY: 'ab'.repeat(32) };
    const transports = createTransports(readConfig({ ...needed, ...settings }), log);
    const ref = { id: newId(), tenantId: newId() };
    const message = '$link and $link, for $1 $& $$';
    const content = sealContent(encryption, ref, { channel: 'SMS', to: '+358401234567', message, link });
    const signal = new AbortController().signal;
    const attempt = await deliver(
      { encryption, transports, callbackOf: () => Promise.resolve(undefined) },
      { message: { ...ref, content }, callback: undefined },
      signal,
    );
    expect(attempt).to.deep.equal({ kind: 'logged' });
    return { warnings: lines.filter(({ level }) => level === 40).map(({ msg }) => msg), line: lines.at(-1) ?? {} };
  }

  it('are logged with number and link hidden, and the start says that nothing is sent', async () => {
    const { warnings, line } = await logged({});
    expect(line).to.include({ channel: 'SMS', to: '…67', text: '[link] and [link], for $1 $& $$' });
    expect(warnings).to.deep.equal([
      'SMS_GATEWAY_URL is not set: messages of type SMS are logged, and not sent to anybody',
      'SMTP_URL is not set: messages of type EMAIL are logged, and not sent to anybody',
    ]);
  });

  it('are logged whole by LOG_MESSAGES, which says that it is for development', async () => {
    const { warnings, line } = await logged({ LOG_MESSAGES: 'true', SMTP_URL: 'smtp://localhost' });
    expect(line).to.include({ to: '+358401234567', text: `${link} and ${link}, for $1 $& $$` });
    expect(warnings).to.have.length(2);
    expect(warnings[0]).to.include('LOG_MESSAGES is for development');
  });
});
