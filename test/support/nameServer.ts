import { createSocket } from 'node:dgram';
import { promises as dns } from 'node:dns';
import { syncBuiltinESMExports } from 'node:module';

/** Addresses of a name by family, or the response code of RFC 1035 4.1.1 (2: server failure, 3: no such name). */
export type NameAnswer = { readonly 4?: readonly string[]; readonly 6?: readonly string[] } | { readonly code: number };

export interface NameServer {
  /** As `Resolver.setServers` takes it. */
  readonly address: string;
  /** The names that were asked for, one for each question. */
  readonly asked: readonly string[];
  close(): Promise<void>;
}

const families: Readonly<Record<number, 4 | 6>> = { 1: 4, 28: 6 };

/**
 * A name server on the loopback (RFC 1035) that knows these names, and does not answer for others. A name of several
 * answers has the next one at each question, the last one for ever.
 */
export async function nameServer(
  names: Readonly<Record<string, NameAnswer | readonly NameAnswer[]>>,
): Promise<NameServer> {
  const asked: string[] = [];
  const socket = createSocket('udp4');
  socket.on('message', (question, { port, address }) => {
    const { name, type, end } = readQuestion(question);
    asked.push(name);
    const answers = [names[name] ?? []].flat();
    const answer = answers[Math.min(answers.length, asked.filter((one) => one === name).length) - 1];
    const family = families[type];
    if (answer === undefined || family === undefined) return;
    const code = 'code' in answer ? answer.code : 0;
    const records = 'code' in answer ? [] : (answer[family] ?? []).map((text) => record(type, bytesOf(text, family)));
    const head = Buffer.from([0, 0, 0x81, 0x80 | code, 0, 1, 0, records.length, 0, 0, 0, 0]);
    question.copy(head, 0, 0, 2);
    socket.send(Buffer.concat([head, question.subarray(12, end), ...records]), port, address);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  return {
    address: `127.0.0.1:${socket.address().port}`,
    asked,
    close: () => new Promise((resolve) => socket.close(resolve)),
  };
}

/** Until the returned function is called, every new resolver of this process asks that server, not the machine's. */
export function askInstead({ address }: NameServer): () => void {
  const { Resolver } = dns;
  const set = (value: typeof Resolver): void => {
    Object.assign(dns, { Resolver: value });
    syncBuiltinESMExports();
  };
  set(
    class extends Resolver {
      constructor(...options: ConstructorParameters<typeof Resolver>) {
        super(...options);
        this.setServers([address]);
      }
    },
  );
  return () => set(Resolver);
}

function readQuestion(message: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = message[at]; length !== undefined && length > 0; length = message[at]) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.'), type: message.readUInt16BE(at + 1), end: at + 5 };
}

/** Of the name that was asked for, which stands at byte 12; class IN, kept for a minute. */
function record(type: number, data: Buffer): Buffer {
  return Buffer.concat([Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 60, 0, data.length]), data]);
}

/** IPv6 in its eight groups, none left out. */
function bytesOf(address: string, family: 4 | 6): Buffer {
  if (family === 4) return Buffer.from(address.split('.').map(Number));
  return Buffer.from(address.split(':').flatMap((group) => [parseInt(group, 16) >> 8, parseInt(group, 16) & 255]));
}
