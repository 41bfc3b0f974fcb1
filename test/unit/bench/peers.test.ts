import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect } from 'chai';
import { projectRoot } from '../../../db/root.js';
import { startPeers } from '../../bench/targets.js';
import { eventually } from '../../support/eventually.js';

const children = (): number => process.getActiveResourcesInfo().filter((kind) => kind === 'ProcessWrap').length;

describe('the peers of a benchmark', () => {
  it('end with the process that started them, however that ends', async () => {
    const peer = fork(join(projectRoot, 'dist', 'test', 'bench', 'peers.js'), ['koa'], { execArgv: [] });
    try {
      await once(peer, 'message');
      peer.disconnect();
      await once(peer, 'exit');
    } finally {
      peer.kill('SIGKILL');
    }
  });

  it('are all ended where one of them cannot start', async () => {
    const before = children();
    const stops: (() => unknown)[] = [];
    const failure: unknown = await startPeers(
      { ends: (stop) => void stops.push(stop), databaseUrl: '', watched: [] },
      ['koa', 'fastify'],
      'nowhere.json',
    ).catch((error: unknown) => error);
    expect(String(failure)).to.contain('the peer fastify ended');
    for (const stop of stops) stop();
    await eventually(() => children() === before);
  });
});
