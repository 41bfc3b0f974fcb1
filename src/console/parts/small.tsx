import type { ComponentChildren, ComponentProps, RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import type { Environment, Status } from '../api/types.js';
import { Failure } from './failure.js';
import type { Loaded } from './useLoaded.js';

/**
 * A page's frame: its heading, which is also the document's title, and what can be done there. The heading has the focus
 * first, so that who comes by keyboard goes on from there, and a screen reader says where it is.
 */
export function PageFrame({
  title,
  actions,
  children,
}: {
  readonly title: string;
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
}) {
  const heading = useHeading(title);
  return (
    <main class="page" id="main">
      <div class="heading">
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        <div class="actions">{actions}</div>
      </div>
      {children}
    </main>
  );
}

/** Of the heading of a page with that title. */
export function useHeading(title: string): RefObject<HTMLHeadingElement | null> {
  const heading = useRef<HTMLHeadingElement>(null);
  // Before anybody sees the page: later it would take the focus from what somebody quick has chosen already.
  useLayoutEffect(() => heading.current?.focus(), []);
  useEffect(() => {
    document.title = `${title} | Verdict`;
  }, [title]);
  return heading;
}

type ButtonProps = Omit<ComponentProps<'button'>, 'name' | 'type'> & {
  /** What stands on it, where that is not written within it. */
  readonly name?: ComponentChildren;
};

/** A button that sends no form; further attributes are the button's. */
export const Button = ({ name, children = name, ...rest }: ButtonProps) => (
  <button type="button" {...rest}>
    {children}
  </button>
);

interface SectionProps {
  readonly label: string;
  /** Of its heading, where that is another one. */
  readonly title?: ComponentChildren;
  readonly actions?: ComponentChildren;
  readonly class?: 'stack' | 'panel';
  readonly 'aria-live'?: 'polite';
  readonly children: ComponentChildren;
}

/** A part of a page: its heading, and what can be done there. */
export const Section = ({ label, title = label, actions, children, ...rest }: SectionProps) => (
  <section class="stack" aria-label={label} {...rest}>
    <div class="heading">
      <h2>{title}</h2>
      <div class="actions">{actions}</div>
    </div>
    {children}
  </section>
);

/** The same in a box. */
export const Panel = (props: Omit<SectionProps, 'class'>) => <Section {...props} class="panel" />;

/** What was loaded, or why it was not. */
export function Shown<Value>({
  loaded,
  children,
}: {
  readonly loaded: Loaded<Value>;
  readonly children: (value: Value) => ComponentChildren;
}) {
  if (loaded.value !== null) return <>{children(loaded.value)}</>;
  if (loaded.loading) return <Loading />;
  return <Failure error={loaded.error} onRetry={loaded.reload} />;
}

export const Loading = () => (
  <p class="soft" aria-busy="true">
    Loading …
  </p>
);

/** @param isDoubtful it ran, and something of it is hardly what was meant: no row matched */
export const StatusMark = ({
  status,
  isDoubtful = false,
}: {
  readonly status: Status;
  readonly isDoubtful?: boolean;
}) => <span class={`mark ${status !== 'COMPLETED' ? 'bad' : isDoubtful ? 'warn' : 'good'}`}>{status}</span>;

/** A version's name for people. */
export const versionName = (version: number | null): string =>
  version === null || version === 0 ? 'working copy' : `v${version}`;

/** An environment in the colour that its owner gave it. */
export const EnvironmentMark = ({ environment }: { readonly environment: Environment | undefined }) => (
  <span class="environment">
    <span class="dot" aria-hidden="true" style={{ background: environment?.color ?? 'transparent' }} />
    {environment?.name ?? 'unknown'}
  </span>
);

interface FactsProps {
  /** What is known, each by its name; what is false is left out. */
  readonly of: readonly (readonly [name: ComponentChildren, value: ComponentChildren] | false)[];
  readonly class?: 'facts' | 'state' | 'keys';
}

/** A list of facts. */
export const Facts = ({ of, class: kind = 'facts' }: FactsProps) => (
  <dl class={kind}>
    {of.map(
      (fact, at) =>
        fact !== false && (
          <div key={at}>
            <dt>{fact[0]}</dt>
            <dd>{fact[1]}</dd>
          </div>
        ),
    )}
  </dl>
);

/** A time as the reader's system writes it, with the exact one as its title. */
export const Time = ({ at }: { readonly at: string }) => (
  <time dateTime={at} title={at}>
    {new Date(at).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'medium' })}
  </time>
);

/** With the digits that a person compares. */
export const shortened = (value: number): string => String(Number(value.toFixed(value < 10 ? 2 : value < 100 ? 1 : 0)));

/** A part of a whole in percent: what is not all of it is never 100. */
export const shareOf = (part: number, whole: number): string => {
  const percent = whole === 0 ? 0 : (100 * part) / whole;
  return `${shortened(percent < 100 ? Math.min(percent, 99.9) : percent)} %`;
};

/** A share in percent, to a tenth, as the service tells it: what is not all is never 100. */
export const percentOf = (share: number): number => Math.floor(Number((1000 * share).toFixed(6))) / 10;

export const count = (number: number, noun: string, nouns = `${noun}s`): string =>
  `${number} ${number === 1 ? noun : nouns}`;

/** The names of classes that hold. */
export const classes = (...names: readonly (string | false | undefined)[]): string => names.filter(Boolean).join(' ');

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
