import { expect } from 'chai';
import { useApp } from '../support/app.js';
import { call } from '../support/http.js';
import { expressing } from '../support/models.js';
import { logicHeaders, useScene } from '../support/scene.js';

interface Problem {
  readonly code?: string;
  readonly errors?: readonly unknown[];
  readonly result?: unknown;
}

/** What of an answer must not depend on the size of the body: the first of its violations, or the result. */
interface Judged {
  readonly status: number;
  readonly code: string | undefined;
  readonly first: unknown;
  readonly result: unknown;
}

const blank = ' '.repeat(70_000);

describe('a large body, which is read in pieces', () => {
  const app = useApp();
  const scene = useScene(app);
  let decisionId: string;
  let execution: string;
  before(async () => {
    ({ decisionId, path: execution } = await scene.deployed('one.json', expressing({ y: 'x + 1', t: 'len(t)' })));
  });

  const judge = async (path: string, text: string): Promise<Judged> => {
    const { status, body } = await call(`${app.baseUrl}${path}`, {
      method: 'POST',
      headers: { ...logicHeaders(scene), 'Content-Type': 'application/json' },
      body: text,
    });
    const { code, errors, result } = body as Problem;
    return { status, code, first: errors?.[0], result };
  };

  const facts = [
    '{"fact":{"x":1,"t":"é😀"}}',
    '{"\\u0066act":{"x":1,"t":"a"}}',
    '{"fact":3,"fact":{"x":2,"t":"a"}}',
    '{"fact":{"x":1,"t":"\\ud83d\\ude00"}}',
    '{"fact":{"x":1,"t":"\\ud83d"}}',
    '{"fact":{"x":1,"t":"a","l":[0,{"a/b":"\\u0000"}]}}',
    '{"fact":{"x":1,"t":"a","__proto__":1}}',
    '{"fact":{"x":1e999,"t":"a"}}',
    '{"fact":{"x":01}}',
    '{"fact":{"x":1,}}',
    '{"fact":{"x":1}',
    '{"fact":{"x":"\u0001"}}',
    '{"fact":[]}',
    '{"fact":null}',
    '{"fact":{},"other":1}',
    '{}',
    '[]',
    'null',
    `{"fact":${'['.repeat(70)}${']'.repeat(70)}}`,
  ];
  for (const text of facts) {
    it(`is executed or refused as a small one: ${text.slice(0, 60)}`, async () => {
      expect(await judge(execution, blank + text)).to.deep.equal(await judge(execution, text));
    });
  }

  const versions = ['0', '1', '1.0', '10e-1', '-1', '1.5', '"1"', 'null', 'true', '{}', '1e400'];
  for (const version of versions) {
    it(`is evaluated or refused as a small one: version ${version}`, async () => {
      const path = `/logic/decisions/${decisionId}/evaluations`;
      const text = `{"version":${version},"fact":{"x":1,"t":""}}`;
      expect(await judge(path, blank + text)).to.deep.equal(await judge(path, text));
    });
  }
});
