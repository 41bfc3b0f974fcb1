import type { ComponentChildren, InputHTMLAttributes } from 'preact';

/** What a form does when it is sent: the page takes it, and the browser goes nowhere. */
export const sent =
  (work: () => void) =>
  (event: Event): void => {
    event.preventDefault();
    work();
  };

export interface TextFieldProps extends Omit<InputHTMLAttributes, 'name' | 'value' | 'type' | 'onChange'> {
  readonly name: string;
  readonly value: string | number;
  readonly onChange: (value: string) => void;
  /** On Enter, or when the focus leaves what was changed. */
  readonly onComplete?: (value: string) => void;
  /** Of a text of several lines. */
  readonly rows?: number | undefined;
  readonly type?: 'text' | 'number' | 'search' | 'datetime-local' | 'password' | undefined;
}

/** A text with its label; further attributes are the input's. */
export function TextField({ name, value, onChange, onComplete, rows, ...rest }: TextFieldProps) {
  // Preact types what may stand beside each `type` by itself.
  const attributes: object = rest;
  const telling = (tell?: (value: string) => void) => (event: { readonly currentTarget: { readonly value: string } }) =>
    tell?.(event.currentTarget.value);
  const events = { onInput: telling(onChange), onChange: telling(onComplete) };
  return (
    <label>
      {name}
      {rows === undefined ? (
        <input {...attributes} {...events} value={value} />
      ) : (
        <textarea {...attributes} {...events} rows={rows} value={value} />
      )}
    </label>
  );
}

interface TickProps {
  readonly name: ComponentChildren;
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
  readonly required?: boolean;
  readonly title?: string;
  /** What it is about changes at once. */
  readonly isSwitch?: boolean;
}

/** A box to tick, with its label behind it. */
export const Tick = ({ name, onChange, title, isSwitch = false, ...rest }: TickProps) => (
  <label class={isSwitch ? 'choice switch' : 'choice'} title={title}>
    <input
      type="checkbox"
      {...(isSwitch ? { role: 'switch' } : {})}
      {...rest}
      onChange={({ currentTarget }) => onChange(currentTarget.checked)}
    />
    {name}
  </label>
);

export type Options<Value> = readonly (readonly [value: Value, text: string])[];

interface ChoiceProps<Value> {
  readonly name: string;
  readonly value: Value;
  readonly options: Options<Value>;
  readonly onChange: (value: Value) => void;
  /** Its label stands beside it. */
  readonly isInline?: boolean;
  readonly class?: string;
  readonly 'aria-invalid'?: boolean;
  readonly 'aria-describedby'?: string;
}

/** One of several, with its label; further attributes are the select's. */
export function Choice<Value extends string | number>(props: ChoiceProps<Value>) {
  const { name, value, options, onChange, isInline = false, class: own = '', ...rest } = props;
  return (
    <label class={isInline ? 'inline' : own}>
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

interface TicksProps {
  readonly legend: string;
  readonly options: Options<string>;
  readonly chosen: ReadonlySet<string>;
  readonly onChange: (chosen: ReadonlySet<string>) => void;
}

/** Several of a list, each a box to tick. */
export const Ticks = ({ legend, options, chosen, onChange }: TicksProps) => (
  <fieldset class="choices">
    <legend>{legend}</legend>
    {options.map(([id, name]) => (
      <Tick key={id} name={name} checked={chosen.has(id)} onChange={() => onChange(toggled(chosen, id))} />
    ))}
  </fieldset>
);

/** A set with one more, or without it. */
export function toggled<Item>(set: ReadonlySet<Item>, item: Item): ReadonlySet<Item> {
  const next = new Set(set);
  if (!next.delete(item)) next.add(item);
  return next;
}
