import { createContext, type ComponentChildren } from 'preact';
import { useContext, useId, useRef, useState } from 'preact/hooks';
import { shortJson } from '../api/exactJson.js';
import type { Field } from './fields.js';
import { doubt, isoDate, misfit, readAsCells, shownValue, typedValue } from './values.js';

/** The texts that rows compare a field with, by its path as `offered.ts` writes it: another one is told, and sent all the same. */
export const Offers = createContext<ReadonlyMap<string, readonly string[]>>(new Map());

/** What the numbers of fields are of, by their paths as `offered.ts` writes them. */
export const Units = createContext<ReadonlyMap<string, string>>(new Map());

const placeOf = (name: string): string => name.replaceAll(/\[\d+\]/g, '[]');

const useUnit = (name: string): string | undefined => useContext(Units).get(placeOf(name));

interface ControlProps {
  readonly field: Field;
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
}

interface NamedProps extends ControlProps {
  /** Its path in the fact. */
  readonly name: string;
}

const useOffers = (name: string, kind: Field['kind']): readonly string[] | undefined => {
  const found = useContext(Offers).get(placeOf(name));
  return kind === 'text' || kind === 'any' ? found : undefined;
};

const mostNamed = 5;

/** The first of many texts: `resident, tourist, member …`. */
const namedIn = (texts: readonly string[]): string =>
  texts.slice(0, mostNamed).join(', ') + (texts.length > mostNamed ? ' …' : '');

/** That no row names what was typed: `Tourist` is no `tourist`. */
const unknownText = (offered: readonly string[] | undefined, value: unknown): string | null =>
  offered === undefined || typeof value !== 'string' || value === '' || offered.includes(value)
    ? null
    : `No row of a table names this text. Rows name ${namedIn(offered)}.`;

/** Whether the value is the one that a person has put there last, and what puts one. */
function useTyped({ value, onChange }: ControlProps): readonly [boolean, ControlProps['onChange']] {
  const [typed, setTyped] = useState<unknown>();
  const put = (next: unknown): void => {
    setTyped(next);
    onChange(next);
  };
  return [typed !== undefined && shortJson(typed) === shortJson(value), put];
}

/** A value with its path before it, and what is said of it. */
export function LabelledControl({ name, ...props }: NamedProps) {
  const id = useId();
  const { field, value } = props;
  const [isTyped, put] = useTyped(props);
  const at = name.lastIndexOf('.') + 1;
  const unit = useUnit(name);
  const fault = misfit(field.kind, field.isWhole, value, unit);
  const offered = useOffers(name, field.kind);
  const question = fault === null ? (doubt(field, value, isTyped, unit) ?? unknownText(offered, value)) : null;
  /** What was said last keeps its room, so that what is clicked next does not move away. */
  const said = useRef('');
  const text = fault ?? question ?? field.description;
  if (text !== '') said.current = text;
  return (
    <div class="fact-field">
      <span class="fact-name">
        <label for={id}>
          <span class="soft">{name.slice(0, at)}</span>
          <wbr />
          {name.slice(at)}
        </label>
        {unit !== undefined && <span class="soft"> {unit}</span>}
        {field.isRequired && (
          <span class="required" aria-hidden="true" title="required">
            *
          </span>
        )}
      </span>
      <div>
        <Control {...props} name={name} onChange={put} attributes={{ id, 'aria-describedby': `${id}-about` }} />
        <span id={`${id}-about`} class={`small ${fault !== null ? 'bad' : question !== null ? 'warn' : 'soft'}`}>
          {text}
        </span>
        {text === '' && said.current !== '' && (
          <span class="small" style={{ visibility: 'hidden' }} aria-hidden="true">
            {said.current}
          </span>
        )}
      </div>
    </div>
  );
}

/** A value in a cell, whose row and column are its label. */
export function CellControl({ name, ...props }: NamedProps) {
  const [isTyped, put] = useTyped(props);
  return (
    <span title={doubt(props.field, props.value, isTyped) ?? undefined}>
      <Control {...props} name={name} onChange={put} attributes={{ 'aria-label': name }} />
    </span>
  );
}

interface AnyControlProps extends NamedProps {
  readonly attributes: Attributes;
}

function Control({ attributes: own, ...props }: AnyControlProps) {
  const { kind, isRequired, choices } = props.field;
  const attributes = { ...own, 'aria-required': isRequired };
  if (kind === 'truth') return <Choice {...props} {...{ attributes }} choices={[true, false]} />;
  return kind === 'choice' ? (
    <Choice {...props} {...{ attributes, choices }} />
  ) : (
    <Typed {...props} {...{ attributes }} />
  );
}

type Attributes = Readonly<Record<string, string | boolean>>;

interface ChoiceProps extends AnyControlProps {
  readonly choices: readonly unknown[];
}

const textOf = (choice: unknown): string => (typeof choice === 'string' ? choice : shortJson(choice));

/** Choices go by what they look like; one that the schema does not name stays, and is told apart. */
function Choice({ choices, value, onChange, attributes }: ChoiceProps) {
  const isStrange =
    value !== undefined && value !== null && !choices.some((choice) => shortJson(choice) === shortJson(value));
  const offered = isStrange ? [...choices, value] : choices;
  const chosen = offered.findIndex((choice) => shortJson(choice) === shortJson(value));
  const option = (choice: unknown, index: number): ComponentChildren => (
    <option key={index} value={textOf(choice)}>
      {textOf(choice)}
      {isStrange && index === choices.length && ', which is no choice'}
    </option>
  );
  return (
    <select
      {...attributes}
      aria-invalid={isStrange}
      value={chosen < 0 ? '' : textOf(offered[chosen])}
      onChange={({ currentTarget }) => onChange(offered[currentTarget.selectedIndex - 1])}
    >
      <option value="">not given</option>
      {offered.map(option)}
    </select>
  );
}

function Typed({ name, field, value, onChange, attributes }: AnyControlProps) {
  const { kind, isWhole, example } = field;
  const offered = useOffers(name, kind);
  const unit = useUnit(name);
  const [typed, setTyped] = useState('');
  // While it means the same, it stays as it was typed: `1.50` is on its way to `1.505`.
  const isTyped = typed !== '' && shortJson(typedValue(kind, typed, unit)) === shortJson(value);
  const isDate = kind === 'date' && (value === undefined || (typeof value === 'string' && isoDate.test(value)));
  const put = (text: string): void => {
    setTyped(text);
    onChange(typedValue(kind, text, unit));
  };
  const latest = useRef(put);
  latest.current = put;
  const props = {
    ...attributes,
    value: isTyped ? typed : shownValue(kind, value),
    placeholder: placeholderOf(value, example ?? (offered && namedIn(offered))),
    'aria-invalid': misfit(kind, isWhole, value, unit) !== null,
    // What was typed by hand is asked; a recorded fact is as it was.
    'data-asked': (isTyped && kind === 'number' && doubt(field, value, isTyped, unit)) || undefined,
    onInput: ({ currentTarget }: { readonly currentTarget: HTMLInputElement }): void => put(currentTarget.value),
    onFocus: ({ currentTarget }: { readonly currentTarget: HTMLInputElement }): void => {
      if (kind !== 'number' && kind !== 'time') return;
      // What was typed meanwhile is read again, where it is a number or a time by then.
      void readAsCells().then(() => {
        const isMeant = misfit(kind, isWhole, typedValue(kind, currentTarget.value, unit), unit) === null;
        if (currentTarget.ariaInvalid === 'true' && isMeant) latest.current(currentTarget.value);
      });
    },
  };
  // A year has four digits; without a last day the box takes more.
  if (isDate) return <input type="date" max="9999-12-31" {...props} />;
  return <input {...props} inputMode={kind === 'number' ? 'decimal' : 'text'} spellcheck={false} autocomplete="off" />;
}

/** What is not seen of a value, or an example where there is none. */
function placeholderOf(value: unknown, example: unknown): string {
  if (value === '') return 'empty text';
  if (value === null) return 'null';
  return example === undefined ? '' : `such as ${textOf(example)}`;
}
