// Small components that every page uses: headings, buttons, tags, facts, amounts and placeholders.
import type { MouseEvent, ReactNode } from 'react';
import { labelProviders } from '@trivium/contract/provider-names';
import { isRefusal, unmentionedIssues } from '../api/errors.ts';
import type { Loaded } from '../api/data.ts';
import { Icon } from './icon.tsx';
import { ago, exactUsd, preciseWhen, second, usd, usdOfLine } from '../format.ts';

export type Tone = 'good' | 'warn' | 'bad' | 'accent' | 'quiet';

export function Page(props: {
  title: string;
  intro?: string;
  aside?: ReactNode;
  /** A list, which uses all of a wide screen and little of its height. */
  wide?: boolean;
  children: ReactNode;
}) {
  const { title, intro, aside, wide, children } = props;
  return (
    <div className={wide ? 'page wide-page' : 'page'}>
      <header className="page-head">
        <div>
          <h1>{title}</h1>
          {intro === undefined ? null : <p>{intro}</p>}
        </div>
        {aside}
      </header>
      {children}
    </div>
  );
}

interface ButtonProps {
  children: ReactNode;
  kind?: 'primary' | 'danger' | 'plain';
  busy?: boolean;
  disabled?: boolean;
  onPress?: (event: MouseEvent) => void;
  submit?: boolean;
  label?: string;
  /** Focused as soon as it is shown. */
  focused?: boolean;
}

export function Button(props: ButtonProps) {
  const { children, kind, busy, disabled, onPress, submit, label, focused } = props;
  return (
    <button
      type={submit ? 'submit' : 'button'}
      className={`button ${kind ?? ''}`}
      disabled={busy === true || disabled === true}
      onClick={onPress}
      ref={focused ? focus : undefined}
      {...(label === undefined ? {} : { 'aria-label': label })}
    >
      {busy ? <span className="spinner" aria-hidden="true" /> : null}
      {children}
    </button>
  );
}

function focus(button: HTMLButtonElement | null): void {
  button?.focus();
}

export function Tag({ tone = 'quiet', children, title }: TagProps) {
  return (
    <span className={`tag ${tone}`} {...(title === undefined ? {} : { title })}>
      {children}
    </span>
  );
}

interface TagProps {
  tone?: Tone;
  children: ReactNode;
  title?: string;
}

interface ErrorNoteProps {
  error: Error | undefined;
  again?: (() => void) | undefined;
  /** What is shown below was loaded earlier. */
  stale?: boolean;
}

export function ErrorNote({ error, again, stale }: ErrorNoteProps) {
  if (!error) return null;
  const refused = isRefusal((error as { type?: unknown }).type);
  return (
    <div className={refused ? 'note warn' : 'note bad'} role="alert">
      <span>
        {stale ? <strong>This may be out of date. </strong> : null}
        {refused ? <strong>Refused by this gateway. </strong> : null}
        {labelProviders(error.message)}
      </span>
      {unmentionedIssues(error).map(({ path, message }) => (
        <span key={`${path} ${message}`}>
          {path === '' ? null : <code>{path}</code>} {labelProviders(message)}
        </span>
      ))}
      {again ? (
        <span>
          <Button kind="plain" onPress={again}>
            Try again
          </Button>
        </span>
      ) : null}
    </div>
  );
}

export function Loading({ what = 'Loading' }: { what?: string }) {
  return (
    <div className="loading" role="status">
      <span className="spinner" aria-hidden="true" />
      {what}…
    </div>
  );
}

/** Shown while something loads. */
export function Skeleton() {
  return (
    <div className="loading skeleton" role="status">
      <span className="hidden-text">Loading…</span>
      {bars.map((width) => (
        <span key={width} aria-hidden="true" style={{ width }} />
      ))}
    </div>
  );
}

const bars = ['34%', '100%', '96%', '99%', '82%'];

export function Empty({ title, children, action, card }: EmptyProps) {
  const empty = (
    <div className="empty">
      <p className="title">{title}</p>
      <p>{children}</p>
      {action}
    </div>
  );
  return card ? <div className="card">{empty}</div> : empty;
}

interface EmptyProps {
  title: string;
  children: ReactNode;
  action?: ReactNode;
  card?: boolean;
}

export type Shown<T> = Pick<Loaded<T>, 'data'> & Partial<Loaded<T>>;

/** Shows the data once it is loaded, and says when it could not be loaded or brought up to date. */
export function Await<T>({ of, children }: { of: Shown<T>; children: (data: T) => ReactNode }) {
  const { data, error, reload } = of;
  if (data === undefined) return error ? <ErrorNote error={error} again={reload} /> : <Skeleton />;
  return (
    <>
      <ErrorNote error={error} again={reload} stale />
      {children(data)}
    </>
  );
}

interface SegmentsProps<T extends string> {
  label: string;
  options: readonly (readonly [T, string])[];
  value: T;
  onChange: (value: T) => void;
}

export function Segments<T extends string>({ label, options, value, onChange }: SegmentsProps<T>) {
  return (
    <div className="segments" role="group" aria-label={label}>
      {options.map(([option, text]) => (
        <button
          key={option}
          type="button"
          aria-pressed={option === value}
          onClick={() => onChange(option)}
        >
          {text}
        </button>
      ))}
    </div>
  );
}

export function Facts({
  facts,
}: {
  facts: readonly (readonly [name: string, value: ReactNode])[];
}) {
  return (
    <dl className="facts">
      {facts.map(([name, value]) => (
        <div key={name} style={{ display: 'contents' }}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

interface DocsLinkProps {
  /** The name of the page under /docs, with its section if there is one. */
  page: string;
}

export function DocsLink({ page }: DocsLinkProps) {
  return (
    <a className="docs-link" href={`/docs/${page}`} target="_blank" rel="noreferrer">
      <Icon name="docs" /> Documentation
    </a>
  );
}

/** A time to the second, or how long ago it was, with the zone on hover. */
export function Moment({ at, brief }: { at: string; brief?: boolean }) {
  return (
    <time dateTime={at} title={preciseWhen(at)}>
      {brief ? ago(at) : second(at)}
    </time>
  );
}

/** A name that can be long, cut to one line. */
export function Short({ text }: { text: string }) {
  return (
    <span className="short" title={text}>
      {text}
    </span>
  );
}

export function ShortCode({ text }: { text: string }) {
  return (
    <code className="short" title={text}>
      {text}
    </code>
  );
}

interface MoneyProps {
  usd: number;
  /** With as many decimals as a line of a log or ledger. */
  line?: boolean;
  /** With a plus sign before a positive amount. */
  signed?: boolean;
}

const mostDecimals = 6;

export function Money({ usd: amount, signed, line }: MoneyProps) {
  const sign = signed && amount > 0 ? '+' : '';
  const exact = exactUsd(amount);
  const shown = line ? usdOfLine(amount) : usd(amount);
  const missing = mostDecimals - (shown.split('.')[1] ?? '').length;
  return (
    <span
      className={missing < 4 ? 'money fine' : 'money'}
      data-pad={'0'.repeat(missing)}
      {...(line || exact === shown ? {} : { title: sign + exact })}
    >
      {sign}
      {shown}
    </span>
  );
}
