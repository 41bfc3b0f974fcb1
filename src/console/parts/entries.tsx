import { useId } from 'preact/hooks';

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
      <label>
        {name}
        <input
          {...rest}
          value={value}
          required={isRequired}
          aria-invalid={wrong !== undefined}
          aria-describedby={about}
          onInput={({ currentTarget }) => onChange(currentTarget.value)}
        />
      </label>
      <About id={about} wrong={wrong} hint={hint} />
    </div>
  );
}

interface ChoiceProps<Value> {
  readonly name: string;
  readonly value: Value;
  readonly options: readonly (readonly [value: Value, text: string])[];
  readonly onChange: (value: Value) => void;
}

/** One of several, with its label; further attributes are the select's. */
export function Choice<Value extends string | number>({ name, value, options, onChange, ...rest }: ChoiceProps<Value>) {
  return (
    <label>
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
