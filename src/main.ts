import { compose } from './compose.js';
import { ConfigError, readConfig, type Config } from './config.js';
import { listen, type Listening } from './http/server.js';
import { createLog } from './log.js';

/** Starts to serve, and drains on SIGTERM or SIGINT: readiness fails, listeners close, the queue drains, records are written. */
async function serve(config: Config): Promise<void> {
  const log = createLog(config.logLevel);
  const service = compose(config, log);
  const listeners: Listening[] = [
    await listen(service.app, { host: config.host, port: config.port, log }),
    await listen(service.adminApp, { host: config.adminHost, port: config.adminPort, log }),
  ];
  service.start();
  log.info({ port: listeners[0]?.port, adminPort: listeners[1]?.port }, 'ready');
  process.send?.({ kind: 'ready', port: listeners[0]?.port, adminPort: listeners[1]?.port });

  const stop = async (signal: string): Promise<void> => {
    log.info({ signal }, 'draining');
    setTimeout(() => {
      log.error('the drain took too long; what was not answered was not acknowledged');
      log.flush();
      process.exit(1);
    }, config.shutdownTimeoutMs).unref();
    service.stopAccepting();
    await Promise.all(listeners.map((listener) => listener.close()));
    await service.close();
    log.info('stopped');
    log.flush();
    process.exit(0);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void stop(signal));
}

try {
  await serve(readConfig(process.env));
} catch (error) {
  process.stderr.write(`${error instanceof ConfigError ? error.message : describe(error)}\n`);
  process.exitCode = 1;
}

function describe(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE') return `${message}. Another program has that port; set PORT or ADMIN_PORT.`;
  return message;
}
