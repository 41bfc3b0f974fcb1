import { decisionName } from '../../decisions/decisionName.js';
import { createShadow } from '#openapi/forms.gen.js';
import { useState } from 'preact/hooks';
import { Choice } from '../parts/entries.js';
import { Field, FormDialog } from '../parts/form.js';
import type { Names } from '../parts/useNames.js';
import { VersionField } from '../parts/versionField.js';

interface StartShadowProps extends Pick<Names, 'decisions' | 'environments'> {
  readonly onDone: () => void;
  readonly onClose: () => void;
}

const dayMs = 86_400_000;
const shares = [
  [1, 'every execution'],
  [0.1, 'one execution of ten'],
  [0.01, 'one execution of a hundred'],
] as const;
const spans = [1, 7, 30].map((days) => [days, days === 1 ? 'a day' : `${days} days`] as const);

/** Asks which version is to be tried where, on how many executions, for how long. */
export function StartShadow({ decisions, environments, onDone, onClose }: StartShadowProps) {
  const [days, setDays] = useState(7);
  const first = {
    decisionId: decisions[0]?.id ?? '',
    environmentId: environments[0]?.id ?? '',
    version: 0,
    sample: 0.1,
  };
  return (
    <FormDialog
      operation={createShadow}
      title="Start a shadow"
      action="Start"
      first={first}
      body={(typed) => ({ ...first, ...typed, expiresAt: new Date(Date.now() + days * dayMs).toISOString() })}
      onDone={onDone}
      onClose={onClose}
    >
      <Field at="decisionId" label="Decision" options={decisions.map(({ id, key }) => [id, decisionName(key)])} />
      <Field at="environmentId" label="Environment" options={environments.map(({ id, name }) => [id, name])} />
      <VersionField at="version" name="Version that is tried" />
      <Field at="sample" label="On" options={shares} />
      <Choice name="For" value={days} options={spans} onChange={setDays} />
    </FormDialog>
  );
}
