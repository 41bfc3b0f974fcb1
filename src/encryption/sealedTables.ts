import { sealedChangeValues } from '../changes/sealedValue.js';
import { sealedEvidenceKeys } from '../evidence/keys.store.js';
import { sealedVariableHistory, sealedVariables } from '../environments/sealedVariable.js';
import { updateKeys } from '../inquiries/answers.store.js';
import { sealedInquiries } from '../inquiries/inquiries.store.js';
import { sealedDigestKeys } from '../oauth/digestKeys.store.js';
import { sealedSigningKeys } from '../oauth/keys.store.js';
import { sealedCallbacks } from '../outbox/callbacks.store.js';
import { sealedMessages } from '../outbox/message.js';
import { executionKeys } from '../runs/idempotency.js';
import type { SealedTable } from '../storage/sealedTable.js';

/** Every table with sealed columns; a test holds that no column of bytes is missing. */
export const sealedTables: readonly SealedTable[] = [
  sealedDigestKeys,
  sealedSigningKeys,
  sealedEvidenceKeys,
  sealedCallbacks,
  sealedVariables,
  sealedVariableHistory,
  sealedChangeValues,
  sealedInquiries,
  updateKeys.sealed,
  sealedMessages,
  executionKeys.sealed,
];
