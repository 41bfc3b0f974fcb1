import type { Scope } from './scopes.js';

interface Role {
  /** For people. */
  readonly about: string;
  readonly scopes: readonly Scope[];
}

/** What decisions, environments and what runs in them look like; without records of executions, which are about people. */
const lookAround = [
  'decisions:read',
  'decision:read',
  'environments:read',
  'environment:read',
  'deployments:read',
  'deployment:read',
  'variables:read',
  'change:read',
  'replay:read',
  'shadow:read',
] as const satisfies readonly Scope[];

const lookBack = ['executions:read', 'execution:read', 'audit:read'] as const satisfies readonly Scope[];

/**
 * The sets of scopes that have a name. They part what one person is not to do alone: who writes a decision does not bring it
 * into force, who approves has written nothing, who audits changes nothing, and a system that calls sees nothing. No role has
 * what undoes those parts (`protection:write`, `change:override`, `erasure:write`, and writing clients, workspaces and
 * policies): that is given by its name, to somebody in particular.
 */
export const roles = {
  author: {
    about: 'Writes, tries and saves decisions, looks what a change would mean, and asks for it',
    scopes: [
      ...lookAround,
      ...lookBack,
      'decision:write',
      'decision:update',
      'decision:delete',
      'version:write',
      'evaluation:write',
      'replay:write',
      'replay:delete',
      'change:write',
    ],
  },
  approver: {
    about: 'Looks at what is asked for, tries it on facts and on the past, approves or rejects it, and applies it',
    scopes: [...lookAround, ...lookBack, 'evaluation:write', 'replay:write', 'change:review', 'change:apply'],
  },
  auditor: {
    about: 'Sees who decided what, when and why, with evidence; changes nothing',
    scopes: [
      ...lookAround,
      ...lookBack,
      'evidence:read',
      'erasure:read',
      'clients:read',
      'workspaces:read',
      'policies:read',
    ],
  },
  operator: {
    about: 'Runs environments: deploys and rolls back, sets variables, watches; writes no decision and approves none',
    scopes: [
      ...lookAround,
      ...lookBack,
      'environment:write',
      'environment:update',
      'environment:delete',
      'retention:write',
      'deployment:write',
      'deployment:update',
      'deployment:delete',
      'variable:write',
      'variable:delete',
      'change:write',
      'shadow:write',
      'shadow:delete',
      'monitor:write',
      'callback:write',
      'pool:read',
    ],
  },
  caller: {
    about: 'A system that executes what is deployed, and reads nothing back but its own answers',
    scopes: ['execution:write'],
  },
} as const satisfies Readonly<Record<string, Role>>;

export type RoleName = keyof typeof roles;

export const roleNames = Object.keys(roles) as readonly RoleName[];

export const isRole = (text: string): text is RoleName => Object.hasOwn(roles, text);
