import { Few } from '../parts/table.js';
import { createVersion } from '#openapi/forms.gen.js';
import type { Decision } from '../api/types.js';
import { CalledChanges } from '../compare/calledChanges.js';
import { FaultLine } from '../parts/faultLine.js';
import { Failure } from '../parts/failure.js';
import { Field, FormDialog } from '../parts/form.js';
import { count } from '../parts/small.js';
import { runsText, unsavedText } from '../requests/runs.js';
import { TestResults } from '../tests/failedTests.js';
import { isClear, type Doubts } from './useVersion.js';

interface VersionDialogProps {
  readonly doubts: Doubts;
  readonly message: string;
  /** What becomes a version. */
  readonly decision: Pick<Decision, 'id' | 'latestVersion'>;
  readonly onSave: (message: string) => Promise<void>;
  readonly onClose: () => void;
}

/** Asks what a version is about, and tells what speaks against it: who reads it later has nothing else. */
export function VersionDialog({ doubts, message, decision, onSave, onClose }: VersionDialogProps) {
  const { failed, faults, unknown, runs, unsaved, changed, isFirst } = doubts;
  const pair = { id: decision.id, from: decision.latestVersion ?? 0, to: 0 };
  const told = runsText(null, runs);
  return (
    <FormDialog
      operation={createVersion}
      title="Save a version"
      action={isClear(doubts) ? 'Save' : 'Save all the same'}
      first={{ message }}
      send={(body) => onSave(body.message ?? '')}
      onClose={onClose}
    >
      {failed !== null && <TestResults {...failed} />}
      {faults.length > 0 && (
        <section aria-label="New faults">
          <p class="warn">
            <b>{count(faults.length, 'fault')}</b>
            {isFirst ? ':' : ' that the newest version has not:'}
          </p>
          <Few of={faults} as="p">
            {(fault, at) => <FaultLine key={at} fault={fault} />}
          </Few>
        </section>
      )}
      {unknown !== null && (
        <>
          <p class="warn">Whether all its tests pass, and which faults are new, could not be found out:</p>
          <Failure error={unknown} />
        </>
      )}
      {told !== null && <p>{told}</p>}
      {unsaved.length > 0 && <p class="warn">{unsavedText(unsaved)}</p>}
      <CalledChanges {...{ pair, changed }} />
      <Field at="message" placeholder="what changed, and why" />
    </FormDialog>
  );
}
