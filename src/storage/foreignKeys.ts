import { Problem } from '../errors.js';
import { mysqlErrno, mysqlErrors } from './database.js';

/**
 * Turns the foreign key error of a DELETE whose resource executions refer to into `execution_history_exists`.
 * @param what a noun
 */
export function refuseWithHistory(what: string): (error: unknown) => never {
  return (error) => {
    if (mysqlErrno(error) !== mysqlErrors.rowIsReferenced) throw error;
    throw new Problem('execution_history_exists', `Recorded executions name this ${what}, so it is kept.`, {
      cause: error,
    });
  };
}
