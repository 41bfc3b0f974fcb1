import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { ESLint } from 'eslint';
import { packageFolder } from '../../src/packageFolder.js';

/** A second one of what the house has one of, in a room that has none, and the rule that says so. */
const planted: Readonly<Record<string, { readonly file?: string; readonly text: string; readonly rule: string }>> = {
  'a timer': { text: 'setTimeout(look, 100);', rule: 'clock/syntax' },
  'a timer of the global object': { text: 'globalThis.setInterval(look, 100);', rule: 'clock/syntax' },
  'a pause by a promise': {
    text: "import { setTimeout as sleep } from 'node:timers/promises';\nawait sleep(100);",
    rule: 'clock/syntax',
  },
  'a timer in a thread': { file: 'workers/models/planted.ts', text: 'setInterval(look, 100);', rule: 'clock/syntax' },
  'a lease': { text: "database('planted').where('leased_until', '<', now);", rule: 'jobs/syntax' },
  'a reader of JSON': { text: 'const isEscape = code === 92;', rule: 'json/syntax' },
  'a cache': { text: 'export class PlantedCache {}', rule: '@typescript-eslint/naming-convention' },
  'an ETag': { text: "const headers = { ETag: '1' };", rule: 'resource/syntax' },
};

const folder = fileURLToPath(packageFolder);

describe('one of each', () => {
  const rules = new Set(Object.values(planted).map(({ rule }) => rule));
  // Types are not read: none of these rules needs them, and a planted file belongs to no project.
  const eslint = new ESLint({
    cwd: folder,
    overrideConfigFile: '.eslint.config.js',
    overrideConfig: { languageOptions: { parserOptions: { projectService: false } } },
    ruleFilter: ({ ruleId }) => rules.has(ruleId),
  });

  for (const [what, { file = 'src/measures/planted.ts', text, rule }] of Object.entries(planted))
    it(`${what} beside the one that there is fails the lint`, async () => {
      const [result] = await eslint.lintText(text, { filePath: `${folder}${file}` });
      expect(result?.messages.map(({ ruleId }) => ruleId)).to.include(rule);
    });

  it('what uses them fails nothing', async () => {
    const text = "import { pause } from '../clock/timers.js';\n\nawait pause(100);\n";
    const [result] = await eslint.lintText(text, { filePath: `${folder}src/measures/planted.ts` });
    expect(result?.messages).to.deep.equal([]);
  });
});
