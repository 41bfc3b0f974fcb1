import type { ComponentChildren } from 'preact';
import { VirtualRows } from './virtualRows.js';

/** A column: what stands in its head, and in the cells of its rows. The first one's cells are the rows' headings. */
export type Column<Row> = readonly [
  name: string,
  cell: (row: Row, index: number) => ComponentChildren,
  kind?: 'number' | 'wrapped' | 'narrow' | 'wrapped where' | undefined,
];

interface TableProps<Row> {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  /** The controls of all rows are one stop of Tab, and arrow keys go from one to the next. */
  readonly isOneStop?: boolean;
}

/** A table of rows of one kind. */
export const Table = <Row,>({ label, columns, rows, isOneStop }: TableProps<Row>) => (
  <VirtualRows
    label={label}
    rows={rows}
    columns={columns.length}
    isOneStop={isOneStop}
    head={
      <tr>
        {columns.map(([name, , kind]) => (
          <th scope="col" key={name} class={kind === 'number' ? kind : ''}>
            {name}
          </th>
        ))}
      </tr>
    }
    render={(row, index) => (
      <tr key={index} aria-rowindex={index + 2}>
        {columns.map(([name, cell, kind = ''], at) =>
          at === 0 ? (
            <th scope="row" key={name} class={kind}>
              {cell(row, index)}
            </th>
          ) : (
            <td key={name} class={kind}>
              {cell(row, index)}
            </td>
          ),
        )}
      </tr>
    )}
  />
);
