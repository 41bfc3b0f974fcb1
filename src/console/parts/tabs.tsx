import { Button } from './small.js';
import type { ComponentChildren } from 'preact';

interface TabsProps<Id extends string> {
  readonly label: string;
  readonly tabs: readonly (readonly [id: Id, name: string])[];
  readonly chosen: Id;
  readonly onChoose: (id: Id) => void;
  /** What the chosen tab shows. */
  readonly children: ComponentChildren;
}

/** Tabs, of which Tab reaches the chosen one, and arrow keys the others. */
export function Tabs<Id extends string>({ label, tabs, chosen, onChoose, children }: TabsProps<Id>) {
  const move = (event: KeyboardEvent & { readonly currentTarget: HTMLElement }): void => {
    const at = tabs.findIndex(([id]) => id === chosen);
    const targets: Readonly<Record<string, number>> = {
      ArrowRight: (at + 1) % tabs.length,
      ArrowLeft: (at + tabs.length - 1) % tabs.length,
      Home: 0,
      End: tabs.length - 1,
    };
    const next = tabs[targets[event.key] ?? -1];
    if (next === undefined) return;
    event.preventDefault();
    onChoose(next[0]);
    event.currentTarget.querySelector<HTMLElement>(`#tab-${next[0]}`)?.focus();
  };
  return (
    <>
      <div role="tablist" aria-label={label} class="tabs" onKeyDown={move}>
        {tabs.map(([id, name]) => (
          <Button
            name={name}
            key={id}
            role="tab"
            id={`tab-${id}`}
            aria-selected={id === chosen}
            aria-controls="tab-panel"
            tabIndex={id === chosen ? 0 : -1}
            onClick={() => onChoose(id)}
          />
        ))}
      </div>
      <div role="tabpanel" id="tab-panel" aria-labelledby={`tab-${chosen}`} class="tab-panel">
        {children}
      </div>
    </>
  );
}
