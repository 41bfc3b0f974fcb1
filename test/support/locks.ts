import { setTimeout as sleep } from 'node:timers/promises';
import type { Knex } from 'knex';

/** Until so many statements of that form hang, since somebody else holds their rows: seen at two looks in a row. */
export async function statementsWait(database: Knex, form: RegExp, count = 1): Promise<void> {
  let seen = 0;
  while (seen < 2) {
    const [rows] = (await database.raw('SHOW FULL PROCESSLIST')) as [{ Info: string | null }[]];
    const hanging = rows.filter(({ Info }) => Info !== null && form.test(Info));
    seen = hanging.length >= count ? seen + 1 : 0;
    await sleep(20);
  }
}
