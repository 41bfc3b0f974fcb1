import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { command, type Call, type Command } from '../command.js';
import { counted, countedDiagnostics, drawDiagnostics } from '../diagnostics.js';
import { NotSignedIn, UsageError, exitCodes } from '../failures.js';
import { count, many, preset, text, versions } from '../params.js';
import { testStored, validateStored } from '../remote/checkStored.js';
import { findConnection } from '../remote/connection.js';
import { countTests, testsText } from '../testReports.js';

/** Runs the engine. */
const checkFiles = () => import('../checkFiles.js');

const subjects = {
  names: many(
    '[what...]',
    'files, folders or zips, which need no server; else keys or ids of the workspace, or nothing for all',
    String,
  ),
};

/**
 * Whether files are meant: the names are there, and no workspace is named.
 * @throws UsageError where some are there and others are not; NotSignedIn where there is no workspace to look them up in
 */
async function areFiles({ session, connection }: Call, names: readonly string[]): Promise<boolean> {
  if (connection.workspace !== undefined || names.length === 0) return false;
  const isThere = (name: string): Promise<boolean> =>
    stat(resolve(session.directory, name)).then(
      () => true,
      () => false,
    );
  const missing: string[] = [];
  for (const name of names) if (!(await isThere(name))) missing.push(name);
  if (missing.length === 0) return true;
  const shown = missing.map((name) => JSON.stringify(name)).join(', ');
  if (missing.length < names.length) throw new UsageError(`there is no file ${shown}; name either files or decisions.`);
  try {
    findConnection(connection, session.environment);
  } catch (error) {
    throw error instanceof NotSignedIn ? new NotSignedIn(`there is no file ${shown}, and ${error.message}`) : error;
  }
  return false;
}

/** Of files, without a server, or of what a workspace holds. */
export const checkCommands: readonly Command[] = [
  command({
    name: 'decision validate',
    alias: 'check',
    about: 'find every fault of models, each with its place; exit 1 if one is an error, and not just a warning',
    examples: ['decision validate models', 'decision validate shop/fees.json --workspace 0190…'],
    args: subjects,
    run: async (call, { names = [] }) =>
      (await areFiles(call, names)) ? (await checkFiles()).validateFiles(call, names) : validateStored(call, names),
    document: ({ valid, checked, faults }) => ({ valid, checked, faults }),
    text({ checked, diagnostics }) {
      const summary = `${counted(checked, 'model')}, ${countedDiagnostics(diagnostics)}`;
      return diagnostics.length === 0 ? summary : `${drawDiagnostics(diagnostics)}\n\n${summary}`;
    },
    end: ({ valid }) => (valid ? undefined : exitCodes.refused),
  }),
  command({
    name: 'decision test',
    about:
      "run models' own tests, [{input, output}], with an optional name, env and select, and test files of DMN's compatibility kit; exit 1 if one fails",
    examples: [
      'decision test models',
      'decision test models --junit tests.xml',
      'decision test shop/fees.json --version 3',
    ],
    args: subjects,
    options: {
      version: preset(
        count('--version <n>', 'of what a workspace holds: this version; 0 is the working copy', versions),
        0,
      ),
      junit: text('--junit <file>', 'write the results as JUnit XML, too'),
    },
    async run(call, { names = [], version, junit }) {
      const models = (await areFiles(call, names))
        ? await (await checkFiles()).testFiles(call.session, names)
        : await testStored(call, names, version);
      return countTests(call.session, models, junit);
    },
    text: testsText,
    end: ({ failed }) => (failed > 0 ? exitCodes.refused : undefined),
  }),
];
