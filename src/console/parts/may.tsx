import type { ComponentChildren } from 'preact';
import { useMay } from '../shell/session.js';

interface MayProps {
  /** The scope. */
  readonly to: string;
  /** In its place where the token has not got it. */
  readonly otherwise?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** What a token may do only with a scope: nobody is offered what would be refused. */
export const May = ({ to, otherwise = null, children }: MayProps) => <>{useMay()(to) ? children : otherwise}</>;
