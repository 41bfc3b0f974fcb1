import { createServer } from 'node:net';

/** True when this process can listen there now, false when another does. Throws where the address is not to be had at all. */
export async function isPortFree(port: number, host = '127.0.0.1'): Promise<boolean> {
  return (await listenOnce(port, host)) !== undefined;
}

/** A free port of the loopback address: the preferred one if it is free, else one that the system picks. */
export async function freePort(preferred?: number): Promise<number> {
  const kept = preferred === undefined ? undefined : await listenOnce(preferred, '127.0.0.1');
  const port = kept ?? (await listenOnce(0, '127.0.0.1'));
  if (port === undefined) throw new Error('No free port on 127.0.0.1.');
  return port;
}

function listenOnce(port: number, host: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(undefined);
      else reject(error);
    });
    server.listen({ port, host, exclusive: true }, () => {
      const address = server.address();
      const bound = typeof address === 'object' && address !== null ? address.port : undefined;
      server.close(() => resolve(bound));
    });
  });
}
