import { createVersion } from '#openapi/forms.gen.js';
import { FaultLine } from '../parts/faultLine.js';
import { Failure } from '../parts/failure.js';
import { Field, FormDialog } from '../parts/form.js';
import { count } from '../parts/small.js';
import type { Doubts } from './useVersion.js';

interface VersionDialogProps {
  readonly doubts: Doubts;
  readonly message: string;
  readonly onSave: (message: string) => Promise<void>;
  readonly onClose: () => void;
}

/** More nobody reads; the desk has all of them. */
const mostShown = 8;

/** Asks what a version is about, and tells what speaks against it: who reads it later has nothing else. */
export function VersionDialog({ doubts: { failed, faults, unknown }, message, onSave, onClose }: VersionDialogProps) {
  const isClear = failed.length + faults.length === 0 && unknown === null;
  return (
    <FormDialog
      operation={createVersion}
      title="Save a version"
      action={isClear ? 'Save' : 'Save all the same'}
      first={{ message }}
      send={(body) => onSave(body.message ?? '')}
      onClose={onClose}
    >
      {failed.length > 0 && (
        <section aria-label="Failed tests">
          <p class="bad">
            <b>{count(failed.length, 'test fails', 'tests fail')}:</b>
          </p>
          <ul>
            {failed.slice(0, mostShown).map((name, at) => (
              <li key={at}>{name}</li>
            ))}
            {failed.length > mostShown && <li>… and {failed.length - mostShown} more</li>}
          </ul>
        </section>
      )}
      {faults.length > 0 && (
        <section aria-label="New faults">
          <p class="warn">
            <b>{count(faults.length, 'fault')}</b> that the newest version has not:
          </p>
          {faults.slice(0, mostShown).map((fault, at) => (
            <FaultLine key={at} fault={fault} />
          ))}
          {faults.length > mostShown && <p class="soft">… and {faults.length - mostShown} more</p>}
        </section>
      )}
      {unknown !== null && (
        <>
          <p class="warn">Whether all its tests pass, and which faults are new, could not be found out:</p>
          <Failure error={unknown} />
        </>
      )}
      <Field at="message" placeholder="what changed, and why" />
    </FormDialog>
  );
}
