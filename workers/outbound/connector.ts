import { lookup as resolve } from 'node:dns';
import type { LookupAddress, LookupOptions } from 'node:dns';
import { Agent, buildConnector } from 'undici';
import { isPublicAddress } from './address.js';
import { OutboundRefused, addressOf } from './policy.js';

type LookupDone = (error: Error | null, address: string | LookupAddress[], family?: number) => void;

/**
 * An undici dispatcher that connects to public addresses only: it looks at IP literals, at every answer of DNS, and
 * at the address that the socket ended up with. The last catches what the first two cannot see. Close it after use:
 * it keeps connections, which must not outlive the policy that opened them.
 */
export function guardedAgent(options: { mayBePrivate: boolean; timeoutMs: number }): Agent {
  const { mayBePrivate, timeoutMs } = options;
  const connect = buildConnector({
    timeout: timeoutMs,
    // `lookup` is an option of net.connect, which is where undici hands unknown options on to.
    ...{ lookup: mayBePrivate ? resolve : guardedLookup },
  });
  const guarded: buildConnector.connector = (target, callback) => {
    const literal = addressOf(target.hostname);
    if (literal !== undefined && !mayBePrivate && !isPublicAddress(literal)) {
      callback(refusal(target.hostname), null);
      return;
    }
    connect(target, (...result) => {
      const [error, socket] = result;
      if (error !== null) {
        callback(error, null);
        return;
      }
      if (!mayBePrivate && !isPublicAddress(socket.remoteAddress ?? '')) {
        socket.destroy();
        callback(refusal(target.hostname), null);
        return;
      }
      callback(null, socket);
    });
  };
  return new Agent({ connect: guarded, connections: 8, pipelining: 1, keepAliveTimeout: 1000, maxHeaderSize: 16_384 });
}

/** `dns.lookup` that fails when any answer is private: a name with one public and one private address is an attack. */
function guardedLookup(hostname: string, options: LookupOptions, done: LookupDone): void {
  resolve(hostname, { ...options, all: true }, (error, answers) => {
    if (error !== null) {
      done(error, []);
      return;
    }
    const [first] = answers;
    if (first === undefined || !answers.every((answer) => isPublicAddress(answer.address))) {
      done(refusal(hostname), []);
      return;
    }
    if (options.all === true) done(null, answers);
    else done(null, first.address, first.family);
  });
}

function refusal(hostname: string): OutboundRefused {
  return new OutboundRefused(`${hostname} does not stand at a public address`);
}
