import { deleteProtection, setProtection } from '#openapi/forms.gen.js';
import type { ComponentChildren } from 'preact';
import type { Environment, Protection } from '../api/types.js';
import { needsOf } from '../deployments/protected.js';
import { TextField, Tick } from '../parts/entries.js';
import { Field, FormDialog, useField, type Typed } from '../parts/form.js';
import { percentOf } from '../parts/small.js';

interface ProtectDialogProps {
  readonly environment: Environment;
  /** Null where it is not protected yet. */
  readonly protection: Protection | null;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

const none: Protection = {
  approvals: 1,
  authorMayApprove: false,
  requires: { tests: true, analysis: false, replay: null, coverage: null },
  override: false,
};

/** Of what is not said yet, what there is at first. */
const whole = ({ requires, ...wanted }: Typed<'PUT /logic/environments/{id}/protection'>): Protection => ({
  ...none,
  ...wanted,
  requires: { ...none.requires, ...requires },
});

const approvals = [1, 2, 3, 4, 5].map((number) => [number, String(number)] as const);

/** Says what a change of an environment needs, and in words what that means. */
export const ProtectDialog = ({ environment: { id, name }, protection, ...rest }: ProtectDialogProps) => (
  <FormDialog
    operation={setProtection}
    given={{ id }}
    title={`Protect ${name}`}
    action={protection === null ? 'Protect' : 'Save'}
    first={protection ?? none}
    {...rest}
  >
    {(wanted) => (
      <>
        <Field at="approvals" options={approvals} />
        <Field at="authorMayApprove" label="Who asked, or wrote what is asked for, may approve" />
        <fieldset class="choices">
          <legend>Checks</legend>
          <Field at="requires.tests" label="The tests of the model pass" />
          <Field at="requires.analysis" label="Nothing wrong with its tables is proved" />
          <Switched at="requires.coverage" label="Its tests reach enough of its rows" first={0.9}>
            <Percent at="requires.coverage" label="Percent of the rows" />
          </Switched>
          <Switched
            at="requires.replay"
            label="A replay of past executions gives what is agreed"
            first="changed <= 0.5%"
          >
            <Field at="requires.replay" label="What the replay must keep" isRequired />
          </Switched>
        </fieldset>
        <Field at="override" label="In an emergency it may be applied without approval, with a reason" />
        <p class="note">
          What runs in {name} changes by a request then, which needs {needsOf(whole(wanted))}. Going back to what was in
          force there before needs none.
        </p>
      </>
    )}
  </FormDialog>
);

interface SwitchedProps {
  readonly at: string;
  readonly label: string;
  /** What it is at first. */
  readonly first: unknown;
  readonly children: ComponentChildren;
}

/** A check that asks for more once it is ticked; else it is null. */
function Switched({ at, label, first, children }: SwitchedProps) {
  const { value = null, put } = useField(at);
  return (
    <>
      <Tick name={label} checked={value !== null} onChange={(on) => put(on ? first : null)} />
      {value !== null && children}
    </>
  );
}

/** A share, as people write it. */
function Percent({ at, label }: Pick<SwitchedProps, 'at' | 'label'>) {
  const { value, put } = useField(at);
  return (
    <TextField
      name={label}
      type="number"
      min={0}
      max={100}
      required
      value={percentOf(Number(value))}
      onChange={(text) => put(Number(text) / 100)}
    />
  );
}

/** Everybody who may deploy changes the environment directly from then on. */
export const UnprotectDialog = ({ environment: { id, name }, ...rest }: Omit<ProtectDialogProps, 'protection'>) => (
  <FormDialog
    operation={deleteProtection}
    given={{ id }}
    title={`Protect ${name} no more?`}
    action={`Protect ${name} no more`}
    {...rest}
  >
    <p>Whoever may deploy changes what runs there at once then, and nobody has to approve it.</p>
  </FormDialog>
);
