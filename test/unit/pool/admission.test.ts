import { expect } from 'chai';
import { Admission } from '../../../src/pool/admission.js';
import { HeavyWorkspaces } from '../../../src/pool/heavy.js';
import { Measures } from '../../../src/pool/measures.js';

const limits = { maxQueue: 100, maxQueuePerWorkspace: 100, maxWaitMs: 2000 };

function admissionOf(changes: Partial<typeof limits> = {}) {
  const measures = new Measures(undefined);
  const heavy = new HeavyWorkspaces();
  const admission = new Admission({ ...limits, ...changes }, { measures, heavy, now: () => 0 });
  const request = { programId: 'p', workspaceId: 'w', configurationId: '', body: '{}', traced: false };
  const nothing = (): undefined => undefined;
  const wait = (workspaceId: string): void => {
    const run = { workspaceId, request, gone: () => false, trace: undefined, resolve: nothing, reject: nothing };
    admission.wait({ ...run, since: 0 }, { hadTurn: false });
  };
  const ran = (workspaceId: string, ms: number): void =>
    measures.ran(ms, 'done', { now: 0, onThreadMs: ms, workspaceId });
  return { admission, heavy, wait, ran };
}

describe('Admission', () => {
  it('lets a run have the thread that is kept from the heavy workspaces, however many of theirs wait', () => {
    const { admission, heavy, wait } = admissionOf({ maxQueue: 2 });
    heavy.mark('heavy', 0);
    for (let run = 0; run < 3; run++) wait('heavy');
    admission.check('light', { idle: 1, threads: 2 });
    wait('light');
    expect(() => admission.check('light', { idle: 1, threads: 2 })).to.throw('Too many runs are waiting.');
    expect(() => admission.check('heavy', { idle: 1, threads: 2 })).to.throw('Too many runs are waiting.');
  });

  it('does not judge a workspace by its first run alone, which compiled its program', () => {
    const { admission, wait, ran } = admissionOf();
    for (let run = 0; run < 50; run++) ran('other', 1);
    ran('new', 100);
    for (let run = 0; run < 60; run++) wait('new');
    admission.check('new', { idle: 0, threads: 2 });
  });

  it('takes a quick first run at its word: others that were slow before it made its workspace slow too', () => {
    const { admission, wait, ran } = admissionOf();
    for (let run = 0; run < 50; run++) ran('slow', 150);
    ran('quick', 1);
    for (let run = 0; run < 60; run++) wait('quick');
    admission.check('quick', { idle: 0, threads: 2 });
  });

  it('knows a workspace by its own runs after a few', () => {
    const { admission, wait, ran } = admissionOf();
    for (let run = 0; run < 50; run++) ran('other', 1);
    for (let run = 0; run < 5; run++) ran('slow', 1000);
    for (let run = 0; run < 20; run++) wait('slow');
    expect(() => admission.check('slow', { idle: 0, threads: 2 })).to.throw('The expected wait is too long.');
    admission.check('other', { idle: 0, threads: 2 });
  });

  for (const [each, ms, taken] of [
    ['quick', 0.02, 12],
    ['slower', 0.1, 6],
  ] as const) {
    it(`shares ${each} runs between idle threads ${taken === 12 ? 'only when there is work for half a millisecond' : 'evenly'}`, () => {
      const { admission, wait, ran } = admissionOf();
      for (let run = 0; run < 50; run++) ran('one', ms);
      for (let run = 0; run < 12; run++) wait('one');
      expect(admission.next(1, true)).to.have.length(taken);
    });
  }
});
