const controls = 'a[href], button, input';
const steps: Readonly<Record<string, readonly [rows: number, controls: number]>> = {
  ArrowDown: [1, 0],
  ArrowUp: [-1, 0],
  ArrowRight: [0, 1],
  ArrowLeft: [0, -1],
};

/** Takes the controls of rows out of the way of Tab: sixty rows of three buttons would be a hundred and eighty stops. */
export function leaveToArrows(box: HTMLElement): void {
  for (const control of box.querySelectorAll<HTMLElement>(`tbody :is(${controls})`)) control.tabIndex = -1;
}

/** Arrow keys go from the box, which Tab reaches, into its rows, from row to row, and along the controls of one. */
export function goByArrows(event: KeyboardEvent & { readonly currentTarget: HTMLElement }): void {
  const step = steps[event.key];
  if (step === undefined) return;
  const rows = [...event.currentTarget.querySelectorAll('tbody tr')]
    .map((row) => [...row.querySelectorAll<HTMLElement>(controls)])
    .filter(({ length }) => length > 0);
  const row = rows.findIndex((each) => each.some((control) => control === document.activeElement));
  const column = rows[row]?.findIndex((control) => control === document.activeElement) ?? 0;
  const wanted = rows[row + step[0]];
  const next = row < 0 ? rows[0]?.[0] : wanted?.[Math.min(column + step[1], wanted.length - 1)];
  if (next === undefined) return;
  event.preventDefault();
  next.focus();
}
