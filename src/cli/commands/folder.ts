import { command, type Command, type CommandGroup } from '../command.js';
import { exitCodes } from '../failures.js';
import { flag, text } from '../params.js';
import { pullFolder } from '../remote/folder/pull.js';
import { compareFolder, pushFolder, pushing } from '../remote/folder/push.js';
import { tableOf } from '../tableOf.js';

const modelsBelow = { folder: text('<folder>', 'every *.json and *.dmn below it is a model, its path the key') };

const pull: Command = command({
  name: 'pull',
  about:
    "bring a workspace's working copies into a folder, a file for each key. What was changed in the folder alone stays; " +
    'where both have changed, nothing is written. `.verdict` in the folder keeps what was pulled',
  examples: ['pull models', 'pull models --profile production --force'],
  args: { folder: text('<folder>', 'made where it is not there') },
  options: { force: flag('--force', 'overwrite what was changed in the folder') },
  run: (call, { folder, force = false }) => pullFolder(call, folder, force),
  text: ({ files }) => (files.length === 0 ? 'nothing changed' : tableOf({ file: 'key', '': 'change' }, files)),
});

const push: Command = command({
  name: 'push',
  about:
    'bring the models of a folder into a workspace, all or none. Refused where others have changed something there since ' +
    'the last pull or push; exit 3 where there is nothing new',
  examples: [
    'push models --save --message "Spring rates"',
    'push models --dry-run --prune',
    'push models --save --ok-if-unchanged',
  ],
  args: modelsBelow,
  options: {
    ...pushing,
    okIfUnchanged: flag('--ok-if-unchanged', 'exit 0 where there is nothing new, too'),
  },
  run: (call, { folder, ...options }) => pushFolder(call, folder, options),
  document: ({ document }) => document,
  text: ({ text }) => text,
  end({ isPartial, isUnchanged }, _call, { okIfUnchanged = false }) {
    if (isPartial) return exitCodes.refused;
    return isUnchanged && !okIfUnchanged ? exitCodes.nothingChanged : undefined;
  },
});

const diff: Command = command({
  name: 'diff',
  about: 'show which models of a folder are others than those of a workspace: what push would change',
  examples: ['diff models', 'diff models --profile production --json'],
  args: modelsBelow,
  run: (call, { folder }) => compareFolder(call, folder),
  text: ({ decisions }) =>
    decisions.length === 0 ? 'no differences' : tableOf({ key: 'key', '': 'change' }, decisions),
});

export const folderCommands: CommandGroup = { groups: {}, commands: [pull, push, diff] };
