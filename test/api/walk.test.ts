import { Session } from 'node:inspector/promises';
import { expect } from 'chai';
import { useOwnApp } from '../support/app.js';
import { doubling } from '../support/models.js';
import { useScene } from '../support/scene.js';

/** Most files of ours whose functions an execution calls on the main thread. */
const most = 66;

describe('the way of an execution', () => {
  const scene = useScene(useOwnApp());

  it(`goes through at most ${most} files on the main thread`, async () => {
    const { decisionId, environmentId } = await scene.deployed('walked.json', doubling(2));
    const execute = async (): Promise<void> => {
      const path = `/logic/${environmentId}/decisions/${decisionId}/executions`;
      expect(await scene.caller.post(path, { fact: { x: 4 } })).to.have.property('status', 201);
    };
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
    for (let tries = 0; tries < 5 && files.length > most; tries++) files = await walk();
    session.disconnect();
    expect(files, files.join('\n')).to.have.length.within(10, most);
  });
});
