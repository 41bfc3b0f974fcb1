import { expect } from 'chai';
import { useApp } from '../../support/app.js';
import { largeTable } from '../../support/largeTable.js';
import { useScene } from '../../support/scene.js';

const mebibyte = 1024 * 1024;

describe('a model of more bytes than other bodies may have', () => {
  const app = useApp();
  const scene = useScene(app);
  const content = largeTable();
  let path: string;

  it('has 1.7 MB', () => {
    expect(JSON.stringify(content).length)
      .to.be.greaterThan(1.7e6)
      .and.lessThan(6 * mebibyte);
  });

  it('is stored as a decision, changed and saved', async () => {
    const made = await scene.caller.post('/logic/decisions', { key: 'large.json', content });
    expect(made.status, JSON.stringify(made.body)).to.equal(201);
    path = `/logic/decisions/${(made.body as { id: string }).id}`;
    const tests = [{ name: 'one', input: { n: 3 }, output: { fee: 3 } }];
    const changed = await scene.caller.patch(path, { content: { ...content, tests } });
    expect(changed.status, JSON.stringify(changed.body)).to.equal(200);
    const saved = await scene.caller.post(`${path}/versions`, {});
    expect(saved.status, JSON.stringify(saved.body)).to.equal(201);
    const { body } = await scene.caller.get(`${path}/versions/1`);
    expect((body as { content: unknown }).content).to.deep.equal({ ...content, tests });
  });

  it('is run as a draft, and analysed', async () => {
    const run = await scene.caller.post('/logic/evaluations', { content, fact: { n: 1401 } });
    expect(run.status, JSON.stringify(run.body).slice(0, 500)).to.equal(201);
    expect((run.body as { result: unknown }).result).to.deep.equal({ fee: 1401 });
    const analysed = await scene.caller.post('/logic/analyses', { content });
    expect(analysed.status, JSON.stringify(analysed.body).slice(0, 500)).to.equal(200);
  });

  it('has a bound, which the refusal names', async () => {
    const larger = { key: 'larger.json', content: { ...content, note: 'x'.repeat(7 * mebibyte) } };
    const { status, body } = await scene.caller.post('/logic/decisions', larger);
    expect(status).to.equal(413);
    expect(body).to.include({ code: 'body_too_large', detail: `The body may have at most ${7 * mebibyte} bytes.` });
  });

  it('changes nothing for other bodies', async () => {
    const { status, body } = await scene.caller.post(`${path}/evaluations`, {
      version: 1,
      fact: { n: 1, note: 'x'.repeat(mebibyte) },
    });
    expect(status).to.equal(413);
    expect(body).to.include({ code: 'body_too_large', detail: `The body may have at most ${mebibyte} bytes.` });
  });
});
