/** Drawn in a square of 16, by strokes alone. */
const shapes = {
  Decisions: 'M8 2v4M8 6L3.5 10M8 6l4.5 4M2 10h3v3H2zM11 10h3v3h-3z',
  Deployments: 'M8 2c3 2 3 6 2 8H6C5 8 5 4 8 2zM6 10l-2 2 1 2M10 10l2 2-1 2M8 6v.1',
  Requests: 'M4 3v10M4 3l-1.5 2M4 3l1.5 2M12 13V6c0-2-1-3-3-3H8',
  Executions: 'M4 3l9 5-9 5z',
  Replays: 'M3 8a5 5 0 1 0 2-4M5 1v3h3',
  Audit: 'M4 2h8v12H4zM6 5h4M6 8h4M6 11h2',
  Oversight: 'M2 8c3-5 9-5 12 0-3 5-9 5-12 0zM8 6.5a1.5 1.5 0 1 0 .1 0',
  Pool: 'M2 12l3-5 3 3 3-6 3 4',
  Access: 'M8 2l5 2v4c0 3-2 5-5 6-3-1-5-3-5-6V4z',
  copy: 'M6 6h7v7H6zM3 10V3h7',
  copied: 'M3 8l3 4 7-8',
  download: 'M8 2v8M5 7l3 3 3-3M3 13h10',
  lock: 'M4 7h8v6H4zM6 7V5a2 2 0 0 1 4 0v2',
} as const;

export type IconName = keyof typeof shapes;

/** A small picture beside a word, which says the same. */
export const Icon = ({ name }: { readonly name: IconName }) => (
  <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
    <path d={shapes[name]} />
  </svg>
);
