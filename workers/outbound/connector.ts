import { lookup } from 'node:dns';
import type { LookupAddress, LookupOptions } from 'node:dns';
import { Agent, buildConnector } from 'undici';
import { isPublicAddress } from './address.js';
import { addressesOf, type NameResolver } from './names.js';
import { OutboundRefused, addressOf } from './policy.js';

type LookupDone = (error: Error | null, address: string | LookupAddress[], family?: number) => void;
type Lookup = (hostname: string, options: LookupOptions, done: LookupDone) => void;

interface ConnectOptions {
  readonly mayBePrivate: boolean;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  readonly resolver: NameResolver;
}

/**
 * An undici dispatcher that connects to public addresses only: it checks IP literals, every answer of DNS, and the
 * address that the socket is connected to. The last catches what the first two cannot see. Close it after use: it keeps
 * connections, which must not outlive the policy that opened them.
 */
export function guardedAgent(options: ConnectOptions): Agent {
  const { mayBePrivate, timeoutMs, signal, resolver } = options;
  const connect = buildConnector({
    timeout: timeoutMs,
    // Undici hands unknown options on to net.connect; its own signal takes effect only once connected. Hosts that may
    // be private are the operator's own and may be known to /etc/hosts alone, so the system looks them up.
    ...{ lookup: mayBePrivate ? lookup : guardedLookup(resolver), signal },
  });
  const guarded: buildConnector.connector = (target, callback) => {
    const literal = addressOf(target.hostname);
    if (literal !== undefined && !mayBePrivate && !isPublicAddress(literal)) {
      callback(refusal(), null);
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
        callback(refusal(), null);
        return;
      }
      callback(null, socket);
    });
  };
  return new Agent({ connect: guarded, connections: 8, pipelining: 1, keepAliveTimeout: 1000, maxHeaderSize: 16_384 });
}

/** A lookup that fails when any answer is private: a name with one public and one private address is an attack. */
function guardedLookup(resolver: NameResolver): Lookup {
  return (hostname, options, done) => {
    addressesOf(hostname, options, resolver).then(
      (answers) => {
        const [first] = answers;
        if (first === undefined || !answers.every(({ address }) => isPublicAddress(address))) {
          done(refusal(), []);
        } else if (options.all === true) done(null, answers);
        else done(null, first.address, first.family);
      },
      (error: unknown) => done(error instanceof Error ? error : new Error(String(error)), []),
    );
  };
}

const refusal = (): OutboundRefused => new OutboundRefused('the host does not stand at a public address');
