/** Follows the pointer until it is let go; what it comes over meanwhile is not selected as text. */
export function follow(onMove: (event: PointerEvent) => void, onEnd?: (event: PointerEvent) => void): void {
  const stop = (event: PointerEvent): void => {
    document.body.style.userSelect = '';
    removeEventListener('pointermove', onMove);
    removeEventListener('pointerup', stop);
    removeEventListener('pointercancel', stop);
    onEnd?.(event);
  };
  document.body.style.userSelect = 'none';
  addEventListener('pointermove', onMove);
  addEventListener('pointerup', stop);
  addEventListener('pointercancel', stop);
}
