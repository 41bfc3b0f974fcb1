import { Facts } from '../parts/small.js';
import type { Box, Fields } from './fields.js';

/** What an element of DMN says: what is declared of it, and its expression as boxes within boxes. */
export function Boxed({ name, content }: { readonly name: string; readonly content: Fields }) {
  const { about = [], box } = content as {
    readonly about?: readonly (readonly [string, string])[];
    readonly box?: Box;
  };
  return (
    <>
      {about.length > 0 && <Facts of={about} />}
      {box !== undefined && (
        <div class="scroll" tabIndex={0} role="group" aria-label={`Expression of ${name}`}>
          <Inner box={box} />
        </div>
      )}
    </>
  );
}

function Inner({ box }: { readonly box: Box }) {
  if (box.kind === 'text') return <code class="boxed">{box.text}</code>;
  const [columns, rows] =
    box.kind === 'rows'
      ? [box.columns, box.rows]
      : [[box.name], box.entries.map(([name, inner]) => [{ kind: 'text', text: name } as const, inner])];
  return (
    <table class="boxes">
      <thead>
        <tr>
          {columns.map((column, at) => (
            <th scope="col" key={at} {...(box.kind === 'entries' ? { colSpan: 2 } : {})}>
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, at) => (
          <tr key={at}>
            {row.map((inner, cell) =>
              box.kind === 'entries' && cell === 0 && inner.kind === 'text' ? (
                <th scope="row" key={cell}>
                  {inner.text}
                </th>
              ) : (
                <td key={cell}>
                  <Inner box={inner} />
                </td>
              ),
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
