import { Session } from 'node:inspector/promises';
import { expect } from 'chai';
import type { RunTask } from '../../workers/protocol.js';
import { runAll } from '../../workers/run.js';
import { useOwnApp } from '../support/app.js';
import { doubling } from '../support/models.js';
import { useScene } from '../support/scene.js';

/** Most files of ours whose functions an execution calls. */
const most = { mainThread: 58, thread: 30 };

/** The files whose functions each of many executions calls, with these functions. */
async function walked(execute: () => Promise<unknown>, limit: number): Promise<string[]> {
  for (let count = 0; count < 10; count++) await execute();
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  await execute();
  const times = 20;
  const walk = async (): Promise<string[]> => {
    await session.post('Profiler.takePreciseCoverage');
    for (let count = 0; count < times; count++) await execute();
    const { result } = await session.post('Profiler.takePreciseCoverage');
    return result
      .map(({ url, functions }) => ({
        file: /\/dist\/((src|workers)\/.*)\.js$/.exec(url)?.[1],
        called: functions.filter(({ ranges }) => (ranges[0]?.count ?? 0) >= times).map((each) => each.functionName),
      }))
      .filter(({ file, called }) => file !== undefined && called.length > 0)
      .map(({ file, called }) => `${file}: ${called.join(' ')}`)
      .sort();
  };
  // What the server does by itself can only add to them, where executions take long enough.
  let files = await walk();
  for (let tries = 0; tries < 5 && files.length > limit; tries++) files = await walk();
  session.disconnect();
  return files;
}

describe('the way of an execution', () => {
  const scene = useScene(useOwnApp());

  it(`goes through at most ${most.mainThread} files on the main thread`, async () => {
    const { decisionId, environmentId } = await scene.deployed('walked.json', doubling(2));
    const execute = async (): Promise<void> => {
      const path = `/logic/${environmentId}/decisions/${decisionId}/executions`;
      expect(await scene.caller.post(path, { fact: { x: 4 } })).to.have.property('status', 201);
    };
    const files = await walked(execute, most.mainThread);
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
    const files = await walked(execute, most.thread);
    expect(files, files.join('\n')).to.have.length.within(10, most.thread);
  });
});
