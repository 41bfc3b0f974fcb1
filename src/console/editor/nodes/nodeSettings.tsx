import type { ComponentChildren } from 'preact';
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
    <label>
      {label}
      <input
        value={textOf(content[name])}
        placeholder={placeholder}
        spellcheck={false}
        onInput={({ currentTarget }) => put(name, currentTarget.value === '' ? null : currentTarget.value, name)}
      />
    </label>
  );
  return (
    <Menu label="Settings">
      <div class="settings">
        <label class="choice">
          <input
            type="checkbox"
            checked={content['passThrough'] === true}
            onChange={({ currentTarget }) => put('passThrough', currentTarget.checked)}
          />
          Pass on what comes in, beside what this node writes
        </label>
        <label class="choice">
          <input
            type="checkbox"
            checked={content['executionMode'] === 'loop'}
            onChange={({ currentTarget }) => put('executionMode', currentTarget.checked ? 'loop' : 'single')}
          />
          Once for each item of a list
        </label>
        {text('inputField', 'Work on this part of the data', 'all of it')}
        {text('outputPath', 'Write under this path', 'the top')}
        {children}
      </div>
    </Menu>
  );
}
