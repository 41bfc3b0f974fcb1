import { useId } from 'preact/hooks';

interface TextFieldProps {
  readonly name: string;
  readonly value: string | number;
  readonly onChange: (value: string) => void;
  readonly type?: 'text' | 'number' | 'search' | 'datetime-local';
  readonly placeholder?: string;
  readonly maxLength?: number;
  readonly min?: number;
  readonly max?: number;
  readonly inputMode?: 'numeric';
  readonly required?: boolean;
  readonly disabled?: boolean;
  readonly spellcheck?: boolean;
  readonly 'aria-invalid'?: boolean;
  readonly 'aria-describedby'?: string;
}

/** A line of text with its label; further attributes are the input's. */
export function TextField({ name, value, onChange, ...rest }: TextFieldProps) {
  // Preact types what may stand beside each `type` by itself.
  const attributes: object = rest;
  return (
    <label>
      {name}
      <input {...attributes} value={value} onInput={({ currentTarget }) => onChange(currentTarget.value)} />
    </label>
  );
}

interface TickProps {
  readonly name: string;
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
}

/** A box to tick, with its label behind it. */
export const Tick = ({ name, checked, onChange }: TickProps) => (
  <label class="choice">
    <input type="checkbox" checked={checked} onChange={({ currentTarget }) => onChange(currentTarget.checked)} />
    {name}
  </label>
);

interface EntryProps<Value extends string> {
  readonly name: string;
  readonly value: Value;
  /** What is wrong with the value, as the service told it. */
  readonly wrong?: string | undefined;
  readonly hint?: string;
  readonly onChange: (value: Value) => void;
}

interface TextEntryProps extends EntryProps<string> {
  readonly placeholder: string;
  readonly maxLength: number;
  readonly isRequired?: boolean;
}

/** A line of text with its label, and what is wrong with it below. */
export function TextEntry({ name, value, wrong, hint, onChange, isRequired = false, ...rest }: TextEntryProps) {
  const about = useId();
  return (
    <div>
      <TextField
        {...{ name, value, onChange, ...rest }}
        required={isRequired}
        aria-invalid={wrong !== undefined}
        aria-describedby={about}
      />
      <About id={about} wrong={wrong} hint={hint} />
    </div>
  );
}

interface ChoiceProps<Value> {
  readonly name: string;
  readonly value: Value;
  readonly options: readonly (readonly [value: Value, text: string])[];
  readonly onChange: (value: Value) => void;
  /** Its label stands beside it. */
  readonly isInline?: boolean;
}

/** One of several, with its label; further attributes are the select's. */
export function Choice<Value extends string | number>(props: ChoiceProps<Value>) {
  const { name, value, options, onChange, isInline = false, ...rest } = props;
  return (
    <label class={isInline ? 'inline' : ''}>
      {name}
      <select
        {...rest}
        value={value}
        onChange={({ currentTarget }) => {
          const [chosen] = options[currentTarget.selectedIndex] ?? [value];
          onChange(chosen);
        }}
      >
        {options.map(([each, text]) => (
          <option key={each} value={each}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}

type ChoiceEntryProps<Value extends string> = EntryProps<Value> & ChoiceProps<Value>;

/** One of several, with its label, and what is wrong with it below. */
export function ChoiceEntry<Value extends string>({ wrong, hint, ...choice }: ChoiceEntryProps<Value>) {
  const about = useId();
  return (
    <div>
      <Choice {...choice} aria-invalid={wrong !== undefined} aria-describedby={about} />
      <About id={about} wrong={wrong} hint={hint} />
    </div>
  );
}

type AboutProps = Pick<EntryProps<string>, 'wrong'> & { readonly id: string; readonly hint: string | undefined };

const About = ({ id, wrong, hint }: AboutProps) => (
  <p id={id} class="small">
    {wrong !== undefined && <span class="bad">{wrong}</span>} {hint !== undefined && <span class="soft">{hint}</span>}
  </p>
);
