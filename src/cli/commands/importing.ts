import { operations } from '#openapi/operations.gen.js';
import { command } from '../command.js';
import { exitCodes } from '../failures.js';
import { flag, many, text } from '../params.js';
import { findDecision } from '../remote/named.js';
import { importCandidates, noteFaults, refuseFaults, refuseUnreadable } from '../remote/import.js';
import { tableOf } from '../tableOf.js';

export const importCommand = command({
  name: 'decision import',
  about: 'bring in models, all or none; a known key updates its working copy, a new one makes a decision',
  examples: [
    'decision import fees.json --save --message "Spring rates"',
    'decision import fees.json --key shop/fees.json --workspace 0190…',
    'decision import models export.zip',
  ],
  args: {
    paths: many(
      '<path...>',
      'a model, a folder (every *.json and *.dmn below it, key = relative path) or a zip of one',
      String,
    ),
  },
  options: {
    key: text('--key <key>', 'the key to use for one file; else its name'),
    save: flag('--save', 'save a version of each as well; exit 3 where nothing was new'),
    message: text('--message <text>', 'why, for the saved versions'),
    force: flag('--force', 'store models with faults (not just warnings) as well, as working copies only'),
  },
  async run({ session, service }, { paths, key, save = false, message, force = false }) {
    const { readFiles } = await import('../decisionFiles.js');
    const { candidates, diagnostics } = await readFiles(session, paths, { key });
    refuseUnreadable('Nothing was imported', diagnostics);
    const files = new Map(candidates.map((each) => [each.key, each.path]));
    const why = force && save ? ': a model with faults is never saved as a version' : '';
    const report = await session.during('importing', candidates.length, (onSent) =>
      importCandidates(service, candidates, { save, force, message, onSent }).catch((error: unknown) =>
        refuseFaults(`Nothing was imported${why}`, error, files),
      ),
    );
    const isBroken = report.faults.some(({ severity }) => severity === 'error');
    const unsaved = isBroken ? ", so it can't be saved as a version" : '';
    noteFaults(session, report.faults, (counted) => `Stored with ${counted}${unsaved}`, files);
    const decisions = report.decisions.map((each) => ({ ...each, changed: each.change !== 'unchanged' }));
    return { ...report, decisions };
  },
  text: ({ decisions }) =>
    tableOf(
      {
        key: 'key',
        now: ({ version }) => (version === 0 ? 'working copy' : `version ${version}`),
        '': 'change',
        id: 'id',
      },
      decisions,
    ),
  end: ({ decisions }, _call, { save }) =>
    save === true && decisions.every(({ changed }) => !changed) ? exitCodes.nothingChanged : undefined,
});

export const saveCommand = command({
  name: 'decision save',
  about: 'save working copies as their next versions, each with all that it can reach',
  examples: ['decision save shop/fees.json --message "Spring rates"'],
  args: { names: many('<decision...>', 'keys or ids', String) },
  options: { message: text('--message <text>', 'why') },
  async run({ service, ask }, { names, message }) {
    const found = [];
    for (const name of names) found.push(await findDecision(service, name));
    const decisions: { id: string; key: string; version: number; changed: true }[] = [];
    for (const { id, key } of found) {
      const saved = await ask(operations.createVersion, { id, message }).catch((error: unknown) => {
        const before = decisions.map((each) => each.key).join(', ');
        return refuseFaults(before === '' ? 'Nothing was saved' : `Only ${before} was saved`, error);
      });
      decisions.push({ id, key, version: saved.body.version, changed: true });
    }
    return decisions;
  },
  document: (decisions) => ({ decisions }),
  text: (decisions) => tableOf({ key: 'key', now: ({ version }) => `version ${version}`, id: 'id' }, decisions),
});
