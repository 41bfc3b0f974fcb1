import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { sent } from './entries.js';
import { Failure } from './failure.js';
import { Button } from './small.js';
import { useWork } from './useWork.js';

export interface DialogProps {
  readonly title: string;
  /** Of the button that does it; without one there is but the button that closes it. */
  readonly action?: string;
  /** What the button does cannot be taken back: it is red. */
  readonly isFinal?: boolean;
  /** The button waits for what is not there yet. */
  readonly isOff?: boolean;
  /** Of the button that closes it; null where its action alone does, so that Escape takes away nothing that is shown once. */
  readonly cancel?: string | null;
  /** More buttons, between these two. */
  readonly others?: ComponentChildren;
  /** For more than a few fields. */
  readonly isWide?: boolean;
  readonly children: ComponentChildren;
  readonly onClose: () => void;
  /** What the button does; the dialog closes when it is done, and shows why where it is refused. */
  readonly onSubmit?: () => Promise<void> | void;
}

/** A modal form. The browser keeps the focus in it and closes it by Escape. */
export function Dialog({
  title,
  action,
  isFinal = false,
  isOff = false,
  cancel = 'Cancel',
  others,
  isWide = false,
  children,
  onClose,
  onSubmit,
}: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  const { busy, failure, run } = useWork();
  const isDone = useRef(false);
  useLayoutEffect(() => {
    element.current?.showModal();
    // The first control has the focus now, and may have taken the title out of sight.
    element.current?.scrollTo(0, 0);
  }, []);
  // The browser gives the focus back at once, but tells of the closing only later: somebody quick has opened the next
  // dialog by then, and it must not be the one that is taken away. Once that is gone, `element` is empty.
  const close = (): void => {
    if (element.current === null) return;
    isDone.current = true;
    element.current.close();
    onClose();
    // What opened it may be gone by then, such as the button of what is all done.
    queueMicrotask(() => {
      if (document.activeElement !== document.body) return;
      const [cell, heading] = ['.grid [tabindex="0"]', 'h1'].map((each) => document.querySelector<HTMLElement>(each));
      (cell ?? heading)?.focus({ preventScroll: true });
    });
  };
  const submit = async (): Promise<void> => {
    if (await run(() => onSubmit?.())) close();
  };
  return (
    <dialog
      ref={element}
      aria-label={title}
      class={isWide ? 'wide' : ''}
      onCancel={(event) => {
        // A chooser of files that is left without one tells its field, and so the dialog around it.
        if (event.target !== element.current) return;
        event.preventDefault();
        if (cancel !== null) close();
      }}
      // A second Escape is asked about by no browser.
      onClose={() => (cancel === null && !isDone.current ? element.current?.showModal() : close())}
    >
      <form class="stack" onSubmit={sent(() => void submit())}>
        <h2>{title}</h2>
        {children}
        <Failure error={failure} />
        <div class="actions">
          {cancel !== null && <Button name={cancel} onClick={close} />}
          {others}
          {action !== undefined && (
            <button class={isFinal ? 'primary final' : 'primary'} disabled={busy || isOff} aria-busy={busy}>
              {action}
              {busy && ' …'}
            </button>
          )}
        </div>
      </form>
    </dialog>
  );
}
