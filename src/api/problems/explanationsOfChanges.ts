import type { ProblemCode } from '../../errors.js';
import type { Explanation } from './explanation.js';

const environment = '/logic/environments/01934f5e-7a10-7b52-8d44-0f6e2c9b7a02';
const deployments = '/logic/deployments';
const changeRequests = '/logic/change-requests';
const changeRequest = `${changeRequests}/01934f5e-7a80-7d33-8b17-2e5a9c0f4d08`;
const proof = '/logic/executions/01934f5e-7a60-7e08-9d13-4c2b8a5f1e07/proof';
const notAgain = 'Do not send the same request again: it would be refused again.';

/** What people read about the codes of protected environments, change requests, callbacks and evidence. */
export const explanationsOfChanges = {
  approval_required: {
    when: [
      'The environment is protected: deployments, variables and hosts change by approved change requests alone. A POST of ' +
        'a deployment is let through only as a rollback, to a saved version that was in force there before.',
      'An apply of a change request that lacks approvals, or whose checks have not passed. `detail` says what is missing.',
      'A write of a decision whose working copy runs in a protected environment, or of one that such a copy reaches.',
    ],
    todo: [
      'Open a change request (`POST /logic/change-requests`), have it approved, and apply it.',
      'In an emergency apply it with `override`, where the protection allows that.',
    ],
    example: {
      instance: deployments,
      detail:
        'The environment 01934f5e-7a10-7b52-8d44-0f6e2c9b7a02 is protected: open a change request, have it approved, and ' +
        'apply it.',
    },
    related: ['change_request_ended', 'not_protected', 'insufficient_scope'],
  },
  not_protected: {
    when: ['A change request of an environment that is not protected: nothing there has to be approved.'],
    todo: [
      'Change the environment directly, or protect it first: `PUT /logic/environments/{id}/protection`.',
      notAgain,
    ],
    example: {
      instance: changeRequests,
      detail:
        'The environment 01934f5e-7a10-7b52-8d44-0f6e2c9b7a02 is not protected: change it directly, or protect it first.',
    },
    related: ['approval_required', 'protection_not_found'],
  },
  change_request_ended: {
    when: ['A review, an apply or a close of a change request that was applied, rejected or closed.'],
    todo: ['Read it again: somebody else may have done what was to be done.', 'Else open another one.', notAgain],
    example: {
      instance: `${changeRequest}/apply`,
      detail: 'The change request is APPLIED; open another one.',
    },
    related: ['approval_required', 'precondition_failed'],
  },
  protection_not_found: {
    when: ['A GET of the protection of an environment that has none.'],
    todo: ['Nothing, unless it is to be protected: `PUT /logic/environments/{id}/protection`.'],
    example: {
      instance: `${environment}/protection`,
      detail: 'The environment 01934f5e-7a10-7b52-8d44-0f6e2c9b7a02 is not protected.',
    },
    related: ['environment_not_found', 'not_protected'],
  },
  callback_not_found: {
    when: ['A GET of the callback of a workspace that has none.'],
    todo: ['Nothing, unless the workspace is to hear of events: `PUT /logic/callback`.'],
    example: { instance: '/logic/callback', detail: 'The workspace has no callback.' },
    related: ['forbidden'],
  },
  change_request_not_found: {
    when: ['There is no change request with the id of the path in the workspace of `X-Workspace-Id`.'],
    todo: ['Check the id, and that the workspace is the right one.', notAgain],
    example: {
      instance: changeRequest,
      detail: 'There is no change request 01934f5e-7a80-7d33-8b17-2e5a9c0f4d08 in this workspace.',
    },
    related: ['environment_not_found', 'forbidden'],
  },
  evidence_pending: {
    when: ['The execution is recorded, but its leaf is not in the tree yet: that takes some seconds.'],
    todo: ['Repeat the request after as many seconds as Retry-After says.'],
    example: {
      instance: proof,
      detail: 'The execution is not in the tree yet.',
      options: { retryAfter: 1 },
    },
    related: ['record_altered', 'execution_not_found'],
  },
  record_erased: {
    when: [
      'What was recorded of the execution was erased for good, and with it what its leaf was made of.',
      'A request is repeated with its Idempotency-Key, and the answer that the first one got was erased.',
    ],
    todo: ['Nothing brings it back. The proofs of all other executions hold.'],
    example: { instance: proof, detail: 'What was recorded of the execution was erased.' },
    related: ['record_altered', 'execution_not_found'],
  },
  record_altered: {
    when: [
      'The record, or the tree, is not what it was when the leaf was made: somebody changed it in the database itself.',
    ],
    todo: ['Tell whoever answers for the records. The guide /docs/evidence says how heads that a witness holds help.'],
    example: { instance: proof, detail: 'The record is not the one that its leaf was made of.' },
    related: ['evidence_pending', 'record_erased'],
  },
} as const satisfies Partial<Record<ProblemCode, Explanation>>;
