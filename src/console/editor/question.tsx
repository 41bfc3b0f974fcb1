import type { ComponentChildren } from 'preact';
import { TextField } from '../parts/entries.js';
import { Button } from '../parts/small.js';

interface QuestionProps {
  readonly title: string;
  readonly about?: string | undefined;
  /** What can be done, by its name. */
  readonly answers: Readonly<Record<string, () => void>>;
  /** Something is missing for any answer. */
  readonly isOff?: boolean;
  readonly children?: ComponentChildren;
}

/** What is asked of a file, or of what was copied. */
export const Question = ({ title, about, answers, isOff = false, children }: QuestionProps) => (
  <section aria-label={title}>
    <h3>{title}</h3>
    {about !== undefined && <p>{about}</p>}
    {children}
    <div class="actions">
      {Object.entries(answers).map(([name, onClick]) => (
        <Button key={name} {...{ name, onClick }} disabled={isOff} />
      ))}
    </div>
  </section>
);

interface AskedNameProps {
  readonly name: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** A name that is asked for within a form: Enter is no answer to the form. */
export const AskedName = (props: AskedNameProps) => (
  <TextField
    {...props}
    maxLength={200}
    onKeyDown={(event) => {
      if (event.key === 'Enter') event.preventDefault();
    }}
  />
);
