import { join } from 'node:path';
import { projectRoot } from './root.js';
import { serve } from './serve.js';
import { messageOf } from './services/errors.js';

// What `make run` executes.
const stop = new AbortController();
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(name, () => {
    if (stop.signal.aborted) process.stdout.write('Already stopping; a moment …\n');
    stop.abort();
  });
}

// A terminal that was closed must not keep the rest from ending in order.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);

/** The one that the image has. */
const recommended = 24;
if (Number.parseInt(process.versions.node, 10) < recommended) {
  process.stdout.write(`Node ${process.versions.node} will do; Node ${recommended} is recommended.\n`);
}

try {
  await serve({
    dir: join(projectRoot, '.run'),
    environment: process.env,
    serverFile: join(projectRoot, 'dist', 'server', 'main.js'),
    say: (line) => process.stdout.write(`${line}\n`),
    stop: stop.signal,
  });
} catch (error) {
  process.stderr.write(`\n${messageOf(error)}\n`);
  process.exitCode = 1;
}
