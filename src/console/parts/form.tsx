import type { Form } from '#openapi/forms.gen.js';
import { createContext, type ComponentChildren } from 'preact';
import { useContext, useId, useMemo, useState } from 'preact/hooks';
import { ApiError, errorsIn } from '../api/client.js';
import type { BodyOf, Given, Reply, Route } from '../api/operations.js';
import { fieldOf, noField, type Field as Shape } from '../facts/fields.js';
import { typedValue, withValue } from '../facts/values.js';
import { useSession } from '../shell/session.js';
import { Dialog, type DialogProps } from './dialog.js';
import { Choice, sent, TextField, Tick, Ticks, type Options, type TextFieldProps } from './entries.js';
import { Failure } from './failure.js';
import { useWork } from './useWork.js';
import { isObject, pointersIn, valueAt, wordsIn } from '../graph/fields.js';

/** A form while somebody fills it in: the one value that all of its fields are parts of. */
interface FormState {
  readonly shape: Shape;
  readonly value: unknown;
  /** What goes out where nothing is typed. */
  readonly defaults: unknown;
  readonly put: (path: readonly string[], value: unknown) => void;
  /** What the service said of fields, by their pointers. */
  readonly wrong: ReadonlyMap<string, string>;
}

const FormContext = createContext<FormState | null>(null);

/** A body of which not all is filled in. */
export type Typed<R extends Route> = BodyOf<R> extends object ? Partial<BodyOf<R>> : object;

interface FormOptions<R extends Route> {
  /** What is called with it. */
  readonly operation: Form<R>;
  readonly given?: Given<R>;
  /** What it begins with: what goes out where nobody is asked for it. */
  readonly first?: Typed<R>;
  /** What goes out where nothing is typed. */
  readonly defaults?: (typed: Typed<R>) => Typed<R>;
  /** What is sent, made of what was typed; else that itself. */
  readonly body?: (typed: Typed<R>) => BodyOf<R>;
  /** What is done in place of the operation. */
  readonly send?: (body: BodyOf<R>) => Promise<void>;
  readonly onDone?: (reply: Reply<R>) => void;
}

const nothing: ReadonlyMap<string, string> = new Map();

/** The value of a form, and what is done with it. `submit` rejects where it is refused, which its fields then show. */
function useForm<R extends Route>({ operation, given, first, defaults, body, send, onDone }: FormOptions<R>) {
  const { api } = useSession();
  const [value, setValue] = useState<unknown>(first ?? {});
  const [wrong, setWrong] = useState(nothing);
  const shape = useMemo(() => fieldOf(operation.body), [operation]);
  const typed = trimmed(value) as Typed<R>;
  const before = defaults?.(typed);
  const state: FormState = {
    ...{ shape, value, wrong },
    defaults: before,
    put: (path, next) => setValue((present: unknown) => withValue(present, path, next)),
  };
  const submit = async (): Promise<void> => {
    setWrong(nothing);
    const whole = { ...before, ...typed };
    const ready = body === undefined ? (whole as BodyOf<R>) : body(whole);
    try {
      if (send !== undefined) await send(ready);
      else {
        const fields = { ...(given as object), ...(operation.body === null ? {} : { body: ready }) };
        onDone?.(await api.ask(operation.route, fields as Parameters<typeof api.ask<R>>[1]));
      }
    } catch (error) {
      const errors = error instanceof ApiError ? errorsIn(error.body) : [];
      setWrong(new Map(errors.map(({ pointer, message }) => [pointer, message])));
      throw error;
    }
  };
  return { state, typed: { ...before, ...typed }, submit };
}

/** White space around texts is nobody's meaning; a text of nothing else is none. */
function trimmed(value: unknown): unknown {
  if (!isObject(value)) return value;
  const members = Object.entries(value).map(([name, inner]) => [
    name,
    typeof inner === 'string' ? inner.trim() : trimmed(inner),
  ]);
  return Object.fromEntries(members.filter(([, inner]) => inner !== ''));
}

type FormDialogProps<R extends Route> = Omit<DialogProps, 'onSubmit' | 'children'> &
  FormOptions<R> & {
    readonly children?: ComponentChildren | ((typed: Typed<R>) => ComponentChildren);
  };

/** A dialog that calls an operation. Its fields are those of the operation's schema; without any it asks whether it is meant. */
export function FormDialog<R extends Route>(props: FormDialogProps<R>) {
  const { children } = props;
  const { state, typed, submit } = useForm<R>(props);
  return (
    <Dialog {...props} onSubmit={submit}>
      <FormContext.Provider value={state}>
        {typeof children === 'function' ? children(typed) : children}
      </FormContext.Provider>
    </Dialog>
  );
}

type PageFormProps<R extends Route> = FormOptions<R> & {
  /** Of its button, which waits until something is changed. */
  readonly action: string;
  /** Its button stands beside the field. */
  readonly isInline?: boolean;
  readonly children: ComponentChildren;
};

/** The same on a page. */
export function PageForm<R extends Route>({ action, isInline = false, children, ...options }: PageFormProps<R>) {
  const { state, submit } = useForm(options);
  const { busy, failure, run } = useWork();
  const [isSaved, setSaved] = useState(false);
  const isSame = JSON.stringify(state.value) === JSON.stringify(options.first);
  return (
    <form
      class={isInline ? 'inline-form' : 'stack'}
      onSubmit={sent(() => {
        setSaved(false);
        void run(submit).then(setSaved);
      })}
    >
      <FormContext.Provider value={state}>{children}</FormContext.Provider>
      <div class="actions">
        <button disabled={busy || isSame}>{action}</button>
      </div>
      <Failure error={failure} />
      <p role="status">{isSaved && 'Saved.'}</p>
    </form>
  );
}

/** One field of the form around it, by the names that lead to it in the body (`limit.perSecond`). */
export function useField(at: string) {
  const form = useContext(FormContext);
  if (form === null) throw new Error('There is no form around this field.');
  const path = at.split('.');
  const shapes = path.reduce<readonly Shape[]>(
    (found, name) => [...found, found.at(-1)?.fields.get(name) ?? noField],
    [form.shape],
  );
  return {
    shape: shapes.at(-1) ?? noField,
    isRequired: shapes.every(({ isRequired }) => isRequired),
    value: valueAt(form.value, path),
    otherwise: valueAt(form.defaults, path),
    wrong: form.wrong.get(`/${path.join('/')}`),
    put: (value: unknown): void => form.put(path, value),
  };
}

interface FieldProps {
  readonly at: string;
  /** Else the field's own name: `deployedBy` is “Deployed by”. */
  readonly label?: string;
  readonly placeholder?: string;
  /** What there is to choose from; else what the schema names. '' stands for none of it. */
  readonly options?: Options<string> | Options<number>;
  /** In place of the schema's explanation. */
  readonly hint?: string;
  readonly isRequired?: boolean;
  /** Of a list: JSON Pointers in a line, and not a line each. */
  readonly isLine?: boolean;
  readonly spellcheck?: boolean;
  /** Where its value is made of what else was typed: that, and not a part of the body. */
  readonly value?: string;
  readonly onChange?: (value: string) => void;
}

/** A field, as its schema wants it: a text, a number, a choice, a box or a list, with its limits and its explanation. */
export function Field({
  at,
  label = nameOf(at),
  options,
  hint,
  isRequired,
  isLine = false,
  value,
  onChange,
  ...rest
}: FieldProps) {
  const field = useField(at);
  const { shape, otherwise, wrong } = field;
  const id = useId();
  const put = (onChange ?? field.put) as (value: unknown) => void;
  const present = value ?? field.value;
  if (shape.kind === 'truth') return <Tick name={label} checked={present === true} onChange={put} />;
  if (shape.kind === 'list' && options !== undefined) {
    const chosen = new Set(Array.isArray(present) ? (present as readonly string[]) : []);
    return (
      <Ticks legend={label} options={options as Options<string>} chosen={chosen} onChange={(next) => put([...next])} />
    );
  }
  const about = { 'aria-invalid': wrong !== undefined, 'aria-describedby': id };
  const choices = options ?? (shape.choices as readonly string[]).map((choice) => [choice, choice] as const);
  return (
    <div>
      {options !== undefined || choices.length > 0 ? (
        <Choice
          name={label}
          value={(present ?? '') as string | number}
          options={choices}
          onChange={(next) => put(next === '' && onChange === undefined ? undefined : next)}
          {...about}
        />
      ) : (
        <Text
          {...{ shape, label, isLine, present, put }}
          required={isRequired ?? (field.isRequired && otherwise === undefined)}
          placeholder={rest.placeholder ?? (typeof otherwise === 'string' ? otherwise : undefined)}
          spellcheck={rest.spellcheck ?? true}
          {...about}
        />
      )}
      <p id={id} class="small">
        {wrong !== undefined && <span class="bad">{wrong}</span>}{' '}
        {hint !== '' && <span class="soft">{hint ?? (options === undefined ? shape.description : '')}</span>}
      </p>
    </div>
  );
}

/** `deployedBy` → `Deployed by`. */
function nameOf(at: string): string {
  const words = wordsIn(at.slice(at.lastIndexOf('.') + 1));
  return words.charAt(0).toUpperCase() + words.slice(1);
}

interface TextProps extends Omit<TextFieldProps, 'name' | 'value' | 'onChange'> {
  readonly shape: Shape;
  readonly label: string;
  readonly isLine: boolean;
  readonly present: unknown;
  readonly put: (value: unknown) => void;
}

/** What is typed of a text, a number or a list. While it means the same, it stays as it was typed. */
function Text({ shape, label, isLine, present, put, ...rest }: TextProps) {
  const { kind, limits } = shape;
  const [typed, setTyped] = useState('');
  const read = (text: string): unknown => {
    if (kind === 'number') return typedValue('number', text);
    if (kind !== 'list') return text === '' ? undefined : text;
    const items = isLine ? pointersIn(text) : text.split('\n').flatMap((item) => item.trim() || []);
    return items.length === 0 ? undefined : items;
  };
  const list = Array.isArray(present) ? (present as readonly string[]) : [];
  const single = typeof present === 'string' || typeof present === 'number' ? String(present) : '';
  const shown = kind === 'list' ? list.join(isLine ? ' ' : '\n') : single;
  return (
    <TextField
      {...rest}
      name={label}
      value={JSON.stringify(read(typed)) === JSON.stringify(present) ? typed : shown}
      rows={kind === 'list' && !isLine ? Math.max(2, Math.min(12, shown.split('\n').length + 1)) : undefined}
      type={kind === 'number' ? 'number' : undefined}
      inputMode={shape.isWhole ? 'numeric' : undefined}
      {...limits}
      onChange={(text) => {
        setTyped(text);
        put(read(text));
      }}
    />
  );
}
