/** Members of nodes that hold no words of an author. */
const skipped: ReadonlySet<string> = new Set(['id', '_id', 'type', 'hitPolicy', 'executionMode', 'position']);

/**
 * Whether a model has a text in the names of its nodes, or in what they hold: fields, cells, expressions, conditions,
 * functions, schemas. Capital and small letters are the same.
 * @param text the model as JSON
 */
export function modelHasText(text: string, search: string): boolean {
  const { nodes } = JSON.parse(text) as { readonly nodes?: unknown };
  const wanted = search.toLowerCase();
  // Iterative, since a model may be deep.
  const waiting: unknown[] = Array.isArray(nodes) ? [...(nodes as unknown[])] : [];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (typeof next === 'string') {
      if (next.toLowerCase().includes(wanted)) return true;
    } else if (Array.isArray(next)) waiting.push(...(next as unknown[]).filter(isPresent));
    else if (typeof next === 'object' && next !== null) {
      for (const [name, value] of Object.entries(next)) if (!skipped.has(name) && isPresent(value)) waiting.push(value);
    }
  }
  return false;
}

const isPresent = (value: unknown): boolean => value !== undefined && value !== null;
