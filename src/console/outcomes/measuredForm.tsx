import { setMeasured } from '#openapi/forms.gen.js';
import { Field, PageForm } from '../parts/form.js';

interface MeasuredFormProps {
  readonly decisionId: string;
  readonly measured: readonly string[];
  readonly onChanged: () => void;
}

/** Which fields of results are counted: none at first, as they may be about people. */
export const MeasuredForm = ({ decisionId: id, measured, onChanged }: MeasuredFormProps) => (
  <PageForm
    operation={setMeasured}
    given={{ id }}
    first={{ pointers: [...measured] }}
    defaults={() => ({ pointers: [] })}
    action="Measure"
    isInline
    onDone={onChanged}
  >
    <Field at="pointers" label="Measured fields" placeholder="/decision /rate" hint="" spellcheck={false} isLine />
  </PageForm>
);
