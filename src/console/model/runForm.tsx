import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { jsonOr } from '../api/exactJson.js';
import type { Model } from '../api/types.js';
import { FactInput, faultOfFact, FactSource } from '../facts/factInput.js';
import { fieldOf, isDeclared } from '../facts/fields.js';
import type { FactState } from '../facts/useFact.js';
import { misfitsIn } from '../facts/values.js';
import { sent } from '../parts/entries.js';
import { May, useMay, useSession } from '../shell/session.js';
import { useRouter } from '../shell/address.js';
import { useWork } from '../parts/useWork.js';

interface RunFormProps {
  readonly decisionId: string;
  readonly model: Model;
  /** A JSON Schema of facts; null while none is known. */
  readonly schema: unknown;
  readonly fact: FactState;
  /** The fact that ran last. */
  readonly ran: string | null;
  /** @param fact JSON text of an object, as the person wrote it */
  readonly onRun: (fact: string) => Promise<void>;
}

/** Where a fact is run: the person's own, a test's, or that of a recorded execution. */
export function RunForm({ decisionId, model, schema, fact, ran, onRun }: RunFormProps) {
  const { facts } = useSession();
  const { setQuery } = useRouter();
  const { text, setText, isLoading, source } = fact;
  const [fault, setFault] = useState<string | null>(null);
  const { busy, run: work } = useWork();
  const mayRun = useMay()('evaluation:write');
  const form = useRef<HTMLFormElement>(null);
  const misfits = useMemo(
    () => (ran !== text || schema === null ? [] : misfitsIn(fieldOf(schema), jsonOr(text, null))),
    [ran, text, schema],
  );
  const isAsked = useRef(false);
  const run = async (): Promise<void> => {
    if (isLoading || !mayRun) return;
    // What is asked for while a run is under way runs after it, with what is typed by then.
    isAsked.current = busy;
    if (busy) return;
    const unread =
      form.current?.querySelector<HTMLElement>('[inputmode=decimal]:is([aria-invalid=true], [data-asked])') ?? null;
    if (unread !== null && fault === null && ran !== text) {
      unread.focus();
      setFault('It has not run: write the number as it is said beside its field. Run it again to send it as it is.');
      return;
    }
    const found = faultOfFact(text);
    setFault(found);
    if (found !== null) return;
    facts.keep(decisionId, text);
    await work(() => onRun(text));
  };
  useEffect(() => {
    if (!busy && isAsked.current) void run();
  }, [busy]);
  const choose = (chosen: string): void => {
    const [kind, id] = chosen.split(':');
    // What was run here is in this page's memory alone, and so not in its address.
    if (kind === 'last') setText(facts.last(decisionId)[Number(id)] ?? text);
    setQuery({ fact: kind === 'last' ? null : chosen }, true);
  };
  return (
    <form
      ref={form}
      class="stack panel"
      onSubmit={sent(() => void run())}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
        event.preventDefault();
        void run();
      }}
    >
      <FactSource decisionId={decisionId} tests={model.tests ?? []} source={source} onChoose={choose} />
      <FactInput
        label="Fact"
        {...{ schema, model }}
        isDeclared={isDeclared(model, 'inputNode')}
        text={text}
        fault={fault}
        onText={(changed) => {
          setText(changed);
          setFault(null);
        }}
      >
        <May
          to="evaluation:write"
          otherwise={<p class="soft small">To run it, your token needs “evaluate and test”.</p>}
        >
          <button class="primary" disabled={isLoading} aria-busy={busy} title="Ctrl+Enter in the fact">
            Run
          </button>
        </May>
      </FactInput>
      {misfits.length > 0 && (
        <p class="warn" role="status">
          It ran with {misfits.map((each) => `“${each}”`).join(', ')} as it is, where something else belongs: what it
          gives may not be what you mean.
        </p>
      )}
    </form>
  );
}
