/** Follows the pointer until it is let go. */
export function follow(onMove: (event: PointerEvent) => void, onEnd?: (event: PointerEvent) => void): void {
  const stop = (event: PointerEvent): void => {
    removeEventListener('pointermove', onMove);
    removeEventListener('pointerup', stop);
    removeEventListener('pointercancel', stop);
    onEnd?.(event);
  };
  addEventListener('pointermove', onMove);
  addEventListener('pointerup', stop);
  addEventListener('pointercancel', stop);
}
