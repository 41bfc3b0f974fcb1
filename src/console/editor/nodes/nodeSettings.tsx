import type { ComponentChildren } from 'preact';
import { TextField, Tick } from '../../parts/entries.js';
import { Menu } from '../../parts/menu.js';
import { textOf, type Fields } from '../../graph/fields.js';

interface NodeSettingsProps {
  readonly content: Fields;
  /** @param step of the history that goes on with what is typed */
  readonly onContent: (content: Fields, step: string | null) => void;
  readonly children?: ComponentChildren;
}

/** What a node takes of what comes in, and what it passes on: of tables, expressions and other decisions. */
export function NodeSettings({ content, onContent, children }: NodeSettingsProps) {
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
        {children}
      </div>
    </Menu>
  );
}
