import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Knex } from 'knex';
import { createEncryption } from '../../src/storage/encryption.js';
import { openDatabase } from '../../src/storage/database.js';
import { createClient } from '../../src/oauth/register.js';
import { scopes as allScopes } from '../../src/oauth/scopes.js';
import { createTenant, createWorkspace } from '../../src/workspaces/register.js';
import { call, callerOf, type Caller } from './http.js';
import type { Model } from './models.js';
import { testConfig } from './settings.js';

/** A tenant of a test's own with a workspace, a client, its token, and the means to author decisions. */
export interface Scene {
  readonly tenantId: string;
  readonly workspaceId: string;
  readonly client: { readonly id: string; readonly secret: string };
  readonly token: string;
  readonly caller: Caller;
  /** Imports a model and saves version 1; gives the decision's id. */
  decision(key: string, model: Model): Promise<string>;
  /** Writes the working copy of a decision that is there. */
  write(key: string, model: Model): Promise<void>;
  /** Writes the working copy and saves it as the next version. */
  save(decisionId: string, model: Model): Promise<void>;
  /** Creates an environment over HTTP; gives its id. */
  environment(): Promise<string>;
  /** As long as news of another process may take at most. */
  settled(): Promise<void>;
}
