import * as forms from '#openapi/forms.gen.js';
import { expect } from 'chai';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../../db/root.js';
import { fieldOf, type Field } from '../../../src/console/facts/fields.js';

const bodies: Readonly<Record<string, { readonly body: unknown }>> = { ...forms };

const fieldAt = (form: string, path: string): Field | undefined =>
  path
    .split('.')
    .reduce<Field | undefined>((found, name) => found?.fields.get(name), fieldOf(bodies[form]?.body ?? null));

const folder = join(projectRoot, 'src/console');

/** The fields that a file of the console asks for, and the operations that it names. */
const asked = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.tsx'))
  .map((file) => ({ file, text: readFileSync(join(folder, file), 'utf8') }))
  .filter(({ text }) => text.includes('parts/form.js'))
  .map(({ file, text }) => ({
    file,
    operations: /import \{([^}]*)\} from '#openapi\/forms\.gen\.js'/.exec(text)?.[1]?.split(',') ?? [],
    fields: [...text.matchAll(/\bat="([^"]+)"|useField\('([^']+)'\)/g)].map(([, at, used]) => at ?? used ?? ''),
  }));

describe('the forms of operations', () => {
  it('have every field that a dialog of the console asks for', () => {
    expect(asked.length).to.be.above(10);
    for (const { file, operations, fields } of asked) {
      const known = operations.length === 0 ? Object.keys(bodies) : operations.map((name) => name.trim());
      for (const field of fields) {
        const isThere = known.some((operation) => fieldAt(operation, field) !== undefined);
        expect(isThere, `${file}: ${field} of ${known.join(', ')}`).to.equal(true);
      }
    }
  });

  it('say what each may be: its type, its limits, its choices, whether it is required, and what it is for', () => {
    const approvals = fieldAt('setProtection', 'approvals');
    expect(approvals).to.include({ kind: 'number', isWhole: true, isRequired: true });
    expect(approvals?.limits).to.deep.equal({ min: 1, max: 5 });
    expect(approvals?.description).to.equal('How many principals must approve');
    expect(fieldAt('createPolicy', 'effect')?.choices).to.deep.equal(['allow', 'deny']);
    expect(fieldAt('createPolicy', 'subjects')).to.include({ kind: 'list', isRequired: false });
    expect(fieldAt('createEnvironment', 'name')?.limits).to.deep.equal({ maxLength: 255 });
  });

  it('reach through references, and through alternatives to the one that has fields', () => {
    expect(fieldAt('createClient', 'limit.perSecond')).to.include({ kind: 'number', isRequired: true });
    expect(fieldAt('createMonitor', 'measure.pointer')?.kind).to.equal('text');
  });

  it('tell no explanation that only says how long a text may be, or that is a list', () => {
    for (const { body } of Object.values(bodies)) {
      for (const [name, { description }] of fieldOf(body).fields) {
        expect(description, name).not.to.match(/^\d+ to \d+ characters|\n/);
      }
    }
  });

  it('are null for an operation without a body', () => {
    expect(forms.deleteDecision).to.deep.equal({ route: 'DELETE /logic/decisions/{id}', body: null });
  });
});
