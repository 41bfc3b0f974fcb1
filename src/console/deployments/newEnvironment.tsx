import { createEnvironment } from '#openapi/forms.gen.js';
import { Field, FormDialog } from '../parts/form.js';

interface NewEnvironmentProps {
  readonly onClose: () => void;
  readonly onDone: () => void;
}

export const NewEnvironment = (props: NewEnvironmentProps) => (
  <FormDialog operation={createEnvironment} title="New environment" action="Create" {...props}>
    <Field at="name" placeholder="Production" />
  </FormDialog>
);
