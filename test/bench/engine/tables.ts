/** A table of `rows` rules over a country, a band of amounts and a segment; the rule number `n` gives `fee: n`. */
export function tableModel(rows: number): unknown {
  const rules = Array.from({ length: rows }, (_, row) => ({
    _id: `r${row}`,
    country: `'C${row % 50}'`,
    amount: `[${row * 10}..${row * 10 + 10})`,
    segment: row % 3 === 0 ? '' : "'retail', 'private'",
    fee: String(row),
    note: `'rule ${row}'`,
  }));
  const column = (id: string, field: string) => ({ id, name: id, field });
  const content = {
    hitPolicy: 'first',
    inputs: [column('country', 'country'), column('amount', 'order.amount'), column('segment', 'segment')],
    outputs: [column('fee', 'fee'), column('note', 'note')],
    rules,
  };
  return {
    nodes: [
      { id: 'in', name: 'Request', type: 'inputNode' },
      { id: 'table', name: 'Fees', type: 'decisionTableNode', content },
    ],
    edges: [{ id: 'edge', sourceId: 'in', targetId: 'table' }],
  };
}

/** A fact that only the rule `row` of `tableModel` meets. */
export function factOfRow(row: number): unknown {
  return { country: `C${row % 50}`, order: { amount: row * 10 + 5 }, segment: 'retail' };
}
