import { Session } from 'node:inspector/promises';
import { expect } from 'chai';
import type { RunTask } from '../../workers/protocol.js';
import { runAll } from '../../workers/run.js';
import { useOwnApp } from '../support/app.js';
import { doubling } from '../support/models.js';
import { useScene } from '../support/scene.js';

/** Most files of ours whose functions an execution calls. */
const most = { mainThread: 58, thread: 30 };

/** The files that each of many executions goes through, with the functions that it calls: what a server does by itself is in some of them only. */
async function walked(execute: () => Promise<unknown>): Promise<readonly string[]> {
  for (let count = 0; count < 10; count++) await execute();
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  const walk = async (): Promise<Map<string, string>> => {
    await execute();
    const { result } = await session.post('Profiler.takePreciseCoverage');
    const files = new Map<string, string>();
    for (const { url, functions } of result) {
      const file = /\/dist\/((src|workers)\/.*)\.js$/.exec(url)?.[1];
      const called = functions.filter(({ ranges }) => (ranges[0]?.count ?? 0) > 0).map((each) => each.functionName);
      if (file !== undefined && called.length > 0) files.set(file, called.join(' '));
    }
    return files;
  };
  let files = await walk();
  for (let count = 0; count < 30; count++) {
    const others = await walk();
    files = new Map([...files].filter(([file]) => others.has(file)));
  }
  session.disconnect();
  return Array.from(files, ([file, called]) => `${file}: ${called}`).sort();
}

describe('the way of an execution', () => {
  const scene = useScene(useOwnApp());

  it(`goes through at most ${most.mainThread} files on the main thread`, async () => {
    const { decisionId, environmentId } = await scene.deployed('walked.json', doubling(2));
    const execute = async (): Promise<void> => {
      const path = `/logic/${environmentId}/decisions/${decisionId}/executions`;
      expect(await scene.caller.post(path, { fact: { x: 4 } })).to.have.property('status', 201);
    };
    const files = await walked(execute);
    expect(files, files.join('\n')).to.have.length.within(10, most.mainThread);
  });

  it(`goes through at most ${most.thread} files on the thread`, async () => {
    const manifest = { entries: [{ content: 'model', links: {} }] };
    const task: RunTask = {
      ...{ programId: 'walked', workspaceId: '', configurationId: '', body: '{"fact":{"x":4}}' },
      ...{ traced: false, clock: 0, seed: 0, timeoutMs: 60_000 },
      bundle: JSON.stringify({ manifest, contents: { model: JSON.stringify(doubling(2)) } }),
    };
    const execute = async (): Promise<void> => {
      const { replies } = await runAll([task], new Int32Array(2));
      expect(replies).to.have.nested.property('[0].status', 'COMPLETED');
    };
    const files = await walked(execute);
    expect(files, files.join('\n')).to.have.length.within(10, most.thread);
  });
});
