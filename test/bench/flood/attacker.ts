import { fork } from 'node:child_process';
import { once } from 'node:events';
import { constants, setPriority } from 'node:os';

/** A process that floods a server. */
export interface Attacker {
  begin(): void;
  /** Resolves with the answers that it got since it began, by status and code, when the last one is there. */
  pause(): Promise<Readonly<Record<string, number>>>;
  end(): void;
}

export interface AttackerOptions {
  readonly kind: 'threads' | 'memory' | 'imports';
  /** Workspaces that attack, each of another tenant. */
  readonly tenants: number;
  readonly baseUrl: string;
  readonly connections: number;
}

/**
 * Starts an attacker, with models of its own deployed. A process of its own, and behind all others of this machine: attackers
 * have machines of their own, and what making and reading megabytes costs is nothing that the server did to anybody.
 */
export async function startAttacker(options: AttackerOptions): Promise<Attacker> {
  const child = fork(new URL('./attackerProcess.js', import.meta.url), [JSON.stringify(options)]);
  const exited = once(child, 'exit').then(() => {
    throw new Error('the attacker ended');
  });
  exited.catch(() => undefined);
  const told = async (): Promise<unknown> => (await Promise.race([once(child, 'message'), exited]))[0];
  await told();
  if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW);
  return {
    begin: () => void child.send('begin'),
    async pause() {
      const answers = told();
      child.send('pause');
      return (await answers) as Record<string, number>;
    },
    end: () => void child.kill(),
  };
}
