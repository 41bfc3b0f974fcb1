import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { find, type Entry } from '../../../../src/api/docs/browser/find.js';
import { guidesFolder } from '../../../../src/api/docs/builtPages.js';

/** What readers have asked for, in their words, and the part of the guides that answers it. */
const questions: Readonly<Record<string, string>> = {
  'rotate secret': 'access#rotate-a-secret',
  'run tests in CI': 'decisions#in-a-pipeline-ci',
  'continuous integration': 'decisions#in-a-pipeline-ci',
  'page through list': 'paging#pages-of-a-list',
  pagination: 'paging#pages-of-a-list',
  'verify webhook signature': 'webhooks#receive-an-event',
  'install cli': 'command-line#install-the-command-line',
  permissions: 'access#roles',
  quota: 'limits',
  'error handling': 'errors#rules-for-repeating',
  'token expired': 'callers#tokens',
  'getting started': 'start',
  sdk: 'start#where-to-go-from-here',
  'idempotency key': 'idempotency',
};

describe('search of the guides', () => {
  const entries = JSON.parse(readFileSync(new URL('search.json', guidesFolder), 'utf8')) as Entry[];
  const pages = (query: string): string[] => find(entries, query).map(({ page }) => page);

  for (const [question, page] of Object.entries(questions)) {
    it(`finds ${page} among the first three of what “${question}” finds`, () => {
      expect(pages(question).slice(0, 3)).to.include(page);
    });
  }

  it('finds a word by its beginning while it is typed, and short words whole alone', () => {
    expect(pages('idempot')).to.include('idempotency');
    const texts = find(entries, 'ci').map(({ title, heading, text }) => `${title} ${heading} ${text}`);
    expect(texts).to.have.length.of.at.least(1);
    for (const text of texts) expect(text).to.match(/\bci\b|pipeline/i);
  });

  it('finds nothing for what no part has, and for nothing', () => {
    expect([...pages('xylophone'), ...pages('deploy xylophone'), ...pages(' ')]).to.deep.equal([]);
  });
});
