import type { Knex } from 'knex';
import type { LogicRoute } from '../api/logicRoute.js';
import { environments } from '../environments/environments.store.js';
import { Problem } from '../errors.js';
import { EnvironmentProtection, Protection, WriteProtection } from '../protections/protections.schema.js';
import { pageOfProtections, requireProtection } from '../protections/protections.store.js';
import { byContent } from '../resource/answers.js';
import { byId, ofEnvironment, ofWorkspace } from '../resource/kinds.js';
import type { Encryption } from '../storage/encryption.js';
import { changeProtection } from './protect.js';

const protection = ofWorkspace({
  ...ofEnvironment('/logic/environments/{id}/protection'),
  ...byContent((stored: Protection) => stored),
  name: 'Protection',
  tag: 'Changes',
  schema: Protection,
  absent: 'protection_not_found',
});

/** The same of all environments. */
const protections = ofWorkspace({
  ...byId('/logic/protections'),
  ...byContent((stored: EnvironmentProtection) => stored),
  name: 'Protection',
  tag: 'Changes',
  schema: EnvironmentProtection,
});

/** The operations on protections of environments. */
export const protectionRoutes = (parts: { readonly database: Knex; readonly encryption: Encryption }): LogicRoute[] => [
  protections.list(
    { summary: 'List the environments that are protected, and how', scope: 'environments:read' },
    ({ workspaceId }, page) => pageOfProtections(parts.database, workspaceId, page),
  ),
  protection.get({ summary: 'Get how an environment is protected', scope: 'environment:read' }, async (ref) => {
    await environments.require(parts.database, { ...ref, id: ref.environmentId });
    return requireProtection(parts.database, ref);
  }),
  protection.set(
    {
      summary: 'Protect an environment: it changes by approved change requests alone; what is left out is not required',
      scope: 'protection:write',
      body: WriteProtection,
    },
    async ({ body, ...writing }) => {
      const wanted = protectionOf(body);
      await changeProtection(parts, writing, wanted);
      return wanted;
    },
  ),
  protection.remove({ summary: 'Protect an environment no more', scope: 'protection:write' }, async (writing) => {
    await changeProtection(parts, writing, null).catch((error: unknown) => {
      // Where the environment is gone, so is its protection.
      if (!(error instanceof Problem) || error.code !== 'environment_not_found') throw error;
    });
  }),
];

function protectionOf({ approvals, authorMayApprove = false, requires = {}, override = false }: WriteProtection) {
  const { tests = false, analysis = false, replay = null, coverage = null } = requires;
  return { approvals, authorMayApprove, requires: { tests, analysis, replay, coverage }, override };
}
