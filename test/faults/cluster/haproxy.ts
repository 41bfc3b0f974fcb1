import { execFile, spawn } from 'node:child_process';
import { closeSync, openSync, writeFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { adminPort, type DatabaseNode } from './node.js';
import type { ClusterPackages } from './packages.js';

/** HAProxy before a cluster: one address that leads to the node which is written to. */
export interface Haproxy {
  /** For the service. */
  readonly databaseUrl: string;
  /** One command of its runtime API. */
  tell(command: string): Promise<string>;
  end(): void;
}

const port = 3306;

/**
 * All go to one node for as long as it may be written to, also when others may be too (`stick on dst`); when it may not
 * any more, its connections are closed, so that nobody goes on with it (`shutdown-sessions`). The table has one entry, and
 * room for more: where it is full HAProxy does not write to it, and after a failover would still send to the node that it
 * began with, once that is back.
 */
const configuration = (socket: string, states: string, nodes: readonly DatabaseNode[]): string => `
global
  maxconn 2000
  stats socket ${socket} mode 600 level admin
  server-state-file ${states}
defaults
  mode tcp
  load-server-state-from-file global
  timeout connect 1s
  timeout client 1h
  timeout server 1h
  timeout check 1500ms
listen verdict
  bind 127.0.0.1:${port}
  option httpchk GET /
  http-check expect status 200
  stick-table type ip size 1k
  stick on dst
  default-server check port ${adminPort} inter 1s fall 2 rise 2 on-marked-down shutdown-sessions
${nodes.map(({ name, address }, index) => `  server ${name} ${address}:3306${index > 0 ? ' backup' : ''}\n`).join('')}`;

/**
 * Every node is down until its checks have said otherwise: HAProxy takes a server for well at its start, and would lead to
 * one that must not be written to. From HAProxy 3.1 on `init-state down` says the same.
 */
const allDown = (nodes: readonly DatabaseNode[]): string =>
  `1
# be_id be_name srv_id srv_name srv_addr srv_op_state srv_admin_state srv_uweight srv_iweight srv_time_since_last_change srv_check_status srv_check_result srv_check_health srv_check_state srv_agent_state bk_f_forced_id srv_f_forced_id srv_fqdn srv_port srvrecord srv_use_ssl srv_check_port srv_check_addr srv_agent_addr srv_agent_port
${nodes.map(({ name, address }, index) => `2 verdict ${index + 1} ${name} ${address} 0 0 1 1 0 1 0 0 6 0 0 0 - 3306 - 0 ${adminPort} - - 0\n`).join('')}`;

export async function startHaproxy(
  { haproxy, environment }: ClusterPackages,
  { dir, logs }: { readonly dir: string; readonly logs: string },
  nodes: readonly DatabaseNode[],
): Promise<Haproxy> {
  const socket = join(dir, 'haproxy.sock');
  const file = join(dir, 'haproxy.cfg');
  const states = join(dir, 'haproxy.states');
  writeFileSync(states, allDown(nodes));
  writeFileSync(file, configuration(socket, states, nodes));
  const env = { ...process.env, ...environment };
  await promisify(execFile)(haproxy, ['-c', '-f', file], { env });
  const log = openSync(join(logs, 'haproxy.log'), 'a');
  const child = spawn(haproxy, ['-db', '-f', file], { env, stdio: ['ignore', log, log] });
  closeSync(log);
  return {
    databaseUrl: `mysql://verdict:verdict@127.0.0.1:${port}/verdict`,
    async tell(command) {
      let answer = '';
      for await (const chunk of createConnection(socket, function (this: { write: (text: string) => void }) {
        this.write(`${command}\n`);
      }))
        answer += String(chunk);
      return answer;
    },
    end: () => void child.kill('SIGKILL'),
  };
}
