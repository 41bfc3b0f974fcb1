import { parseExactly } from '../../workers/json/index.js';
import { Problem } from '../errors.js';
import type { Connection } from '../storage/database.js';
import type { Encryption } from '../storage/encryption.js';
import type { SealedRow, SealedTable } from '../storage/sealedTable.js';
import type { EnvironmentRef } from '../storage/resourceTable.js';

/** What the stores of variables work with. */
export interface VariableDependencies {
  readonly database: Connection;
  readonly encryption: Encryption;
}

/** Columns that present and past values of a variable have alike. */
export interface SealedVariable {
  readonly name: string;
  readonly value: Buffer;
  readonly secret: number;
}

/** Binds the encrypted value to its variable: it can't be decrypted for another one. */
const contextOf = ({ workspaceId, environmentId }: EnvironmentRef, name: string): string =>
  `variables/${workspaceId}/${environmentId}/${name}`;
const sealedAs = ({ id, text }: SealedRow): string =>
  contextOf({ workspaceId: id('workspace_id'), environmentId: id('environment_id') }, text('name'));

export const sealedVariables: SealedTable = {
  table: 'variables',
  key: ['environment_id', 'name'],
  also: ['workspace_id'],
  contexts: { value: sealedAs },
};

export const sealedVariableHistory: SealedTable = {
  table: 'variable_history',
  key: ['environment_id', 'until_revision', 'from_revision', 'name'],
  also: ['workspace_id'],
  contexts: { value: sealedAs },
};

/** @param json the value as JSON text */
export const sealVariable = (encryption: Encryption, ref: EnvironmentRef, name: string, json: string): Buffer =>
  encryption.seal(json, contextOf(ref, name));

/**
 * The value with all digits of its numbers. Throws a Problem that names the variable when none of this server's keys opens it, or it was
 * sealed for another variable.
 */
export function openVariable(
  { encryption }: Pick<VariableDependencies, 'encryption'>,
  ref: EnvironmentRef,
  { name, value }: Pick<SealedVariable, 'name' | 'value'>,
): unknown {
  try {
    return parseExactly(encryption.open(value, contextOf(ref, name)));
  } catch (cause) {
    const remedy = 'Set the variable again, or remove it.';
    throw new Problem('internal_error', `No key of the server decrypts the variable ${name}. ${remedy}`, { cause });
  }
}
