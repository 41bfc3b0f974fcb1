import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { Problem } from '../../../../src/errors.js';
import { createConsoleFiles } from '../../../../src/api/console/files.js';

describe('the console’s files', () => {
  it('that were not built are a fault of the service, and the answer says what to do', () => {
    const files = createConsoleFiles(pathToFileURL('/nowhere/'));
    expect(() => files.manifest())
      .to.throw(Problem, 'This page was not built. Stop the service, run `make build`, start it again.')
      .with.property('code', 'internal_error');
  });
});
