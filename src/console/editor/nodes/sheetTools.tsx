import { rowsOf, textOf, type Fields } from '../../graph/fields.js';
import { Choice, TextField, Tick } from '../../parts/entries.js';
import { Overflow, Menu } from '../../parts/menu.js';
import { Button } from '../../parts/small.js';
import { backToGrid } from '../grid/backToGrid.js';
import type { Sheet } from '../sheet.js';
import { Find, type FindProps } from './find.js';
import type { SheetAction } from './sheetActions.js';

interface SheetToolsProps {
  /** All rows. */
  readonly sheet: Sheet;
  readonly actions: readonly SheetAction[];
  readonly find: FindProps;
  /** @param step of the history that goes on with what is typed */
  readonly onContent: (content: Fields, step?: string | null) => void;
}

/** What is done with the rows that match, where it is not chosen here. */
export const HitPolicy = ({ content }: { readonly content: Fields }) => (
  <span class="soft small">Hit policy {hitPolicyWords(textOf(content['hitPolicy']) || 'first')}.</span>
);

/** What can be done with the selected rows and columns, each a button with a name. */
export function SheetTools({ sheet, actions, find, onContent }: SheetToolsProps) {
  const { content, isOfDocument } = sheet;
  const policy = textOf(content['hitPolicy']) || 'first';
  return (
    <div class="tools" role="toolbar" aria-label="Rows and columns">
      <Overflow label="Edit">
        {(['Rows', 'Columns'] as const).map((group) => (
          <span key={group} class="tool-group" role="group" aria-label={group}>
            {actions
              .filter(({ sign, group: own }) => sign !== undefined && own === group)
              .map(({ name, sign, isOff = false, run }) => (
                <Button
                  name={sign}
                  key={name}
                  class="tool"
                  aria-label={name}
                  title={name}
                  disabled={isOff}
                  onClick={() => backToGrid(run)}
                />
              ))}
          </span>
        ))}
        {sheet.list !== 'expressions' && (
          <Choice
            name="Hit policy"
            value={policy}
            options={(isOfDocument ? policiesOf(content) : ['first', 'collect']).map((each) => [each, each])}
            onChange={(hitPolicy) => onContent({ ...content, hitPolicy })}
            isInline
          />
        )}
      </Overflow>
      {isOfDocument && (
        <span class="soft small policy" title={words[policy]}>
          {words[policy]}
        </span>
      )}
      {sheet.list !== 'statements' && !isOfDocument && <NodeSettings content={content} onContent={onContent} />}
      <Find {...find} />
    </div>
  );
}

/** What each hit policy does with the rows that match. */
const words: Readonly<Record<string, string>> = {
  UNIQUE: 'one row at most may match',
  FIRST: 'the first row that matches counts',
  PRIORITY: 'of the rows that match, the one with the highest value counts',
  ANY: 'several rows may match, with the same result',
  COLLECT: 'all rows that match count, as a list',
  'COLLECT SUM': 'the sum of all rows that match',
  'COLLECT MIN': 'the smallest of all rows that match',
  'COLLECT MAX': 'the largest of all rows that match',
  'COLLECT COUNT': 'how many rows match',
  'RULE ORDER': 'all rows that match count, in their order, as a list',
  'OUTPUT ORDER': 'all rows that match count, in the order of their values, as a list',
};

/** Those of DMN that a table can have: no sum is made of objects, and an order of values is one of those that an output lists. */
function policiesOf(content: Fields): readonly string[] {
  const outputs = rowsOf(content, 'outputs');
  const isOrdered = outputs.some(({ isListed }) => isListed === true);
  return Object.keys(words).filter(
    (each) =>
      each === content['hitPolicy'] ||
      ((outputs.length === 1 || !each.startsWith('COLLECT ')) && (isOrdered || !/^(PRIORITY|OUTPUT)/.test(each))),
  );
}

/** A hit policy, and what it does: `COLLECT SUM: the sum of all rows that match`. JDM has them in small letters. */
const hitPolicyWords = (policy: string): string => [policy, words[policy.toUpperCase()]].filter(Boolean).join(': ');

interface NodeSettingsProps {
  readonly content: Fields;
  /** @param step of the history that goes on with what is typed */
  readonly onContent: (content: Fields, step: string | null) => void;
}

/** What a node takes of what comes in, and what it passes on: of tables, expressions and other decisions. */
export function NodeSettings({ content, onContent }: NodeSettingsProps) {
  const put = (name: string, value: unknown, step: string | null = null): void =>
    onContent({ ...content, [name]: value }, step);
  const text = (name: string, label: string, placeholder: string) => (
    <TextField
      name={label}
      value={textOf(content[name])}
      placeholder={placeholder}
      spellcheck={false}
      onChange={(text) => put(name, text === '' ? null : text, name)}
    />
  );
  return (
    <Menu label="Settings">
      <div class="settings">
        <Tick
          name="Pass on what comes in, beside what this node writes"
          checked={content['passThrough'] === true}
          onChange={(checked) => put('passThrough', checked)}
        />
        <Tick
          name="Once for each item of a list"
          checked={content['executionMode'] === 'loop'}
          onChange={(checked) => put('executionMode', checked ? 'loop' : 'single')}
        />
        {text('inputField', 'Work on this part of the data', 'all of it')}
        {text('outputPath', 'Write under this path', 'the top')}
      </div>
    </Menu>
  );
}
