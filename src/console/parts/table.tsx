import type { ComponentChildren } from 'preact';
import { VirtualRows } from './virtualRows.js';

interface TableProps<Row> {
  readonly label: string;
  readonly columns: readonly string[];
  /** The columns whose cells are numbers. */
  readonly numbers?: readonly string[];
  readonly rows: readonly Row[];
  /** The controls of all rows are one stop of Tab, and arrow keys go from one to the next. */
  readonly isOneStop?: boolean;
  /** The cells of a row; the first is its heading. */
  readonly cells: (row: Row, index: number) => ComponentChildren;
}

/** A table of rows of one kind. */
export const Table = <Row,>({ label, columns, numbers = [], rows, cells, isOneStop }: TableProps<Row>) => (
  <VirtualRows
    label={label}
    rows={rows}
    columns={columns.length}
    isOneStop={isOneStop}
    head={
      <tr>
        {columns.map((name) => (
          <th scope="col" key={name} class={numbers.includes(name) ? 'number' : ''}>
            {name}
          </th>
        ))}
      </tr>
    }
    render={(row, index) => (
      <tr key={index} aria-rowindex={index + 2}>
        {cells(row, index)}
      </tr>
    )}
  />
);
