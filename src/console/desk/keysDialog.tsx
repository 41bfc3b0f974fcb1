import { zenFunctions } from '#openapi/language.gen.js';
import { Dialog } from '../parts/dialog.js';
import { Facts } from '../parts/small.js';

const keys = [
  ['Ctrl+Z, Ctrl+Y', 'undo, redo'],
  ['Ctrl+S', 'keep as working copy'],
  ['Ctrl+Enter', 'run the fact; in a cell, where several were selected, all of them get its text'],
  ['F', 'fill the screen with what is open, and back'],
  ['?', 'these keys, what cells say, and the functions of expressions'],
  ['Enter, F2', 'write in a cell, or open a column; Enter ends it and goes down'],
  ['Tab', 'on to the next cell; after Esc out of the table'],
  ['Esc', 'takes back what was typed in a cell'],
  ['Arrows, Home, End, Page', 'from cell to cell; with Shift the selection grows, with Ctrl to the edge'],
  ['Ctrl+C, X, V', 'copy, cut, paste cells, as spreadsheets have them'],
  ['Ctrl+D', 'fill down'],
  ['Ctrl+F, Ctrl+H', 'find in cells, and replace'],
  ['Delete', 'empties cells; in the graph deletes nodes'],
  ['Arrows in the graph', 'from node to node; with Shift they move it'],
  ['Space in the graph', 'selects one node more'],
  ['Arrows in a list of tests or findings', 'from row to row, and along its buttons'],
] as const;

const cells = [
  ['< 18', 'less than 18; >, <= and >= as well'],
  ['[18..25]', 'from 18 to 25, both of them; (18..25) neither'],
  ['"DE", "FR"', 'one of these'],
  ['!= "DE"', 'any but this one'],
  ['>= d("2026-01-31")', 'on that day or later'],
  ['', 'empty: any value'],
] as const;

export const KeysDialog = ({ onClose }: { readonly onClose: () => void }) => (
  <Dialog title="Keys" cancel="Close" onClose={onClose}>
    <Facts class="keys" of={keys.map(([key, what]) => [<kbd>{key}</kbd>, what])} />
    <h3>Conditions in cells</h3>
    <Facts class="keys" of={cells.map(([cell, what]) => [<code>{cell}</code>, what])} />
    <h3>Functions of expressions</h3>
    <p>
      What each of them does stands in{' '}
      <a href="/docs/language" target="_blank" rel="noreferrer">
        the guide to expressions
      </a>
      .
    </p>
    <Facts class="keys" of={Object.entries(zenFunctions).map(([name, takes]) => [<code>{name}</code>, takes])} />
  </Dialog>
);
