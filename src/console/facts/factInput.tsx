import type { ComponentChildren } from 'preact';
import { useMemo, useRef, useState } from 'preact/hooks';
import { messageOf } from '../api/client.js';
import { formatJson, jsonOr, parseJson } from '../api/exactJson.js';
import { TextField, Tick, type Options } from '../parts/entries.js';
import { useSession } from '../shell/session.js';
import { Offers, Units } from './control.js';
import { FactForm, Strangers } from './factForm.js';
import { fieldOf, noField } from './fields.js';
import { textsCompared, unitsCompared } from './offered.js';
import { readAsCells } from './values.js';
import { isObject } from '../graph/fields.js';
import type { Model, ModelTest } from '../api/types.js';
import { useLoaded } from '../parts/useLoaded.js';
import { valuesText } from '../parts/values.js';

interface FactInputProps {
  /** What the text box is called. */
  readonly label: string;
  /** A JSON Schema; null where none is known. */
  readonly schema: unknown;
  /** Whose tables say what texts are offered; null where none are. */
  readonly model: Model | null;
  /** An author has said what there is: what that does not name is told. */
  readonly isDeclared: boolean;
  /** A schema of what may be passed on beside it. */
  readonly passedOn?: unknown;
  /** JSON: what form and text box both show, and the only state there is. */
  readonly text: string;
  readonly onText: (text: string) => void;
  /** Why the text was refused. */
  readonly fault: string | null;
  /** What is done with the fact: below the form, or below the text where there is no form. */
  readonly children?: ComponentChildren;
}

/** A fact, as a form where its schema is known; as JSON where it is not, and behind a switch. */
export function FactInput({
  label,
  schema,
  model,
  isDeclared,
  passedOn = null,
  text,
  onText,
  fault,
  children,
}: FactInputProps) {
  const { facts } = useSession();
  const [asJson, setAsJson] = useState(facts.asJson);
  const field = useMemo(() => (schema === null ? null : fieldOf(schema)), [schema]);
  const strangers = useMemo(
    () => ({
      known: passedOn === null ? noField : fieldOf(passedOn),
      note: isDeclared ? 'The schema does not name it.' : '',
    }),
    [passedOn, isDeclared],
  );
  const value = useMemo(() => jsonOr(text, undefined), [text]);
  const [{ texts, units }, offer] = useOffers(model);
  const isForm = field !== null && field.kind === 'object';
  const showsForm = isForm && !asJson && isObject(value);
  return (
    <div class="fact-input">
      {isForm && (
        <Tick
          name="JSON"
          isSwitch
          checked={asJson}
          onChange={(checked) => {
            facts.asJson = checked;
            setAsJson(checked);
          }}
        />
      )}
      {showsForm && (
        <div
          role="group"
          aria-label={`${label}, field by field`}
          class="fact-fields"
          onPointerEnter={offer}
          onFocusCapture={offer}
        >
          <Offers.Provider value={texts}>
            <Units.Provider value={units}>
              <Strangers.Provider value={strangers}>
                <FactForm field={field} value={value} onChange={(next) => onText(formatJson(next))} />
              </Strangers.Provider>
            </Units.Provider>
          </Offers.Provider>
          {field.fields.size === 0 && Object.keys(value).length === 0 && (
            <p class="soft small">The decision asks for nothing yet. Whatever it is made to read has its field here.</p>
          )}
        </div>
      )}
      {!showsForm && (
        <TextField
          name={label}
          rows={10}
          spellcheck={false}
          value={text}
          aria-invalid={fault !== null}
          onChange={onText}
        />
      )}
      {fault !== null && (
        <p role="alert" class="failure">
          {fault}
        </p>
      )}
      {children}
    </div>
  );
}

/** By the paths of fields. */
interface Offered {
  readonly texts: ReadonlyMap<string, readonly string[]>;
  readonly units: ReadonlyMap<string, string>;
}

const nothing: Offered = { texts: new Map(), units: new Map() };

/** What is offered in the fields of a fact, what their numbers are of, and what reads it: a page that is only looked at does not read all of its tables. */
function useOffers(model: Model | null): readonly [Offered, () => void] {
  const [offers, setOffers] = useState(nothing);
  const read = useRef<Model | null>(null);
  const offer = (): void => {
    if (model === null || read.current === model) return;
    read.current = model;
    void readAsCells().then(
      (cells) => setOffers({ texts: textsCompared(model, cells), units: unitsCompared(model, cells) }),
      // Fields without choices are fields all the same.
      () => undefined,
    );
  };
  return [offers, offer];
}

/** Why a text is no fact; null where it is one. */
export function faultOfFact(text: string): string | null {
  try {
    return isObject(parseJson(text)) ? null : 'A fact is a JSON object: { "name": value }.';
  } catch (error) {
    return `This is no JSON: ${messageOf(error)}`;
  }
}

interface FactSourceProps {
  readonly decisionId: string;
  readonly tests: readonly ModelTest[];
  /** What is chosen: `test:0`, `execution:<id>`, `last:0`; empty for the person's own. */
  readonly source: string;
  readonly onChoose: (source: string) => void;
}

const maxRecorded = 20;

/** Where a fact can be taken from: tests, recorded executions, what was run before. */
export function FactSource({ decisionId, tests, source, onChoose }: FactSourceProps) {
  const { api, facts } = useSession();
  const recorded = useLoaded(
    (signal) => api.ask('GET /logic/executions', { decisionId, order: 'desc', size: maxRecorded }, signal),
    [api, decisionId],
  );
  const groups: readonly (readonly [label: string, options: Options<string>])[] = [
    ['Tests of the model', tests.map(({ name }, index) => [`test:${index}`, name ?? `test ${index + 1}`])],
    [
      'Recorded executions',
      // Without the scope there are none to choose from.
      (recorded.value?.data ?? []).map(({ id, reference, createdAt, status }) => [
        `execution:${id}`,
        `${new Date(createdAt).toLocaleString()} ${reference ?? ''} ${status}`,
      ]),
    ],
    [
      'Run here before',
      facts.last(decisionId).map((text, index) => [`last:${index}`, valuesText(parseJson(text)).slice(0, 60)]),
    ],
  ];
  return (
    <label>
      Start from
      <select value={source} onChange={({ currentTarget }) => onChoose(currentTarget.value)}>
        <option value="">what is typed here</option>
        {groups.map(
          ([label, options]) =>
            options.length > 0 && (
              <optgroup key={label} label={label}>
                {options.map(([value, name]) => (
                  <option key={value} value={value}>
                    {name}
                  </option>
                ))}
              </optgroup>
            ),
        )}
      </select>
    </label>
  );
}
