import type { ComponentChild, FunctionComponent } from 'preact';
import { useMemo } from 'preact/hooks';

/** A component that is not drawn again while all that it is given stays the same. Its drawing has no state of its own. */
export const still =
  <Props extends object>(draw: (props: Props) => ComponentChild): FunctionComponent<Props> =>
  (props) =>
    useMemo(() => draw(props as Props), Object.values(props) as unknown[]);
