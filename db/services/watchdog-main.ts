import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { terminate } from './processes.js';
import type { WatchdogOrder } from './watchdog.js';

// Only the end of the input counts: signals meant for the parent must not take the watchdog with it.
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => undefined);

const orders: WatchdogOrder[] = [];
for await (const line of createInterface({ input: process.stdin })) {
  orders.push(JSON.parse(line) as WatchdogOrder);
}

if (!orders.some((order) => order.kind === 'done')) {
  // Last named, first ended: the server before the database that it writes to.
  for (const order of orders.toReversed()) {
    if (order.kind === 'process') await terminate(order.mark, order.graceMs);
    if (order.kind === 'command') spawnSync(order.command[0], order.command.slice(1), { stdio: 'ignore' });
  }
  for (const order of orders) {
    if (order.kind === 'folder') rmSync(order.path, { recursive: true, force: true });
  }
}
