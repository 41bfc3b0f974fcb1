import type { Knex } from 'knex';

/** How many rows of which tables hold a text, in any of their columns, whatever its type. */
export async function rowsWith(database: Knex, text: string): Promise<Record<string, number>> {
  const columns = (await database('information_schema.columns')
    .select({ table: 'table_name', column: 'column_name' })
    .whereRaw('table_schema = DATABASE()')
    .orderBy('table_name')) as { table: string; column: string }[];
  const byTable = new Map<string, string[]>();
  for (const { table, column } of columns) byTable.set(table, [...(byTable.get(table) ?? []), column]);
  const hex = Buffer.from(text).toString('hex').toUpperCase();
  const found: Record<string, number> = {};
  for (const [table, names] of byTable) {
    const holds = names.map((name) => `IFNULL(INSTR(CAST(\`${name}\` AS BINARY), UNHEX('${hex}')), 0) > 0`);
    const [rows] = (await database.raw(`SELECT COUNT(*) AS found FROM \`${table}\` WHERE ${holds.join(' OR ')}`)) as [
      { found: number | string }[],
    ];
    const count = Number(rows[0]?.found ?? 0);
    if (count > 0) found[table] = count;
  }
  return found;
}
