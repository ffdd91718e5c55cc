// What the three benches share: the form on the left, the answer on the right, and who is asked.
import type { ReactNode } from 'react';
import type { ProviderDescription, ToolName, ValidationIssue } from '@trivium/contract';
import type { Action } from '../api/use-action.ts';
import { Button, Empty, ErrorNote, Loading } from '../parts/basics.tsx';
import type { JsonSchema } from './form-fields.ts';
import { FirstFields, MoreFields } from './request-form.tsx';
import type { RequestFormProps } from './request-form.tsx';
import { SameCall } from './same-call.tsx';

export interface BenchProps {
  all: readonly ProviderDescription[];
  schema: JsonSchema;
}

interface LayoutProps {
  tool: ToolName;
  request: object;
  send: Action<[]>;
  verb: string;
  working: string;
  /** Stands above the other fields. */
  way?: ReactNode;
  /** Who is asked. */
  who: ReactNode;
  form: Omit<RequestFormProps, 'tool'>;
  answer: ReactNode;
  wide?: boolean;
}

export function Bench(props: LayoutProps) {
  const { tool, request, send, verb, working, way, who, form, answer, wide } = props;
  return (
    <div className={wide ? 'bench wide' : 'bench'}>
      <form
        className="card stack"
        onSubmit={(event) => {
          event.preventDefault();
          send.run();
        }}
      >
        {way}
        <FirstFields tool={tool} {...form} />
        {who}
        <div className="row">
          <Button kind="primary" submit busy={send.busy}>
            {verb}
          </Button>
        </div>
        <MoreFields tool={tool} {...form} />
        <details>
          <summary>The same call for a program</summary>
          <SameCall tool={tool} request={request} />
        </details>
      </form>
      <section className="card stack" aria-label="Answer" aria-live="polite" aria-busy={send.busy}>
        <ErrorNote error={send.error} />
        {send.busy ? <Loading what={working} /> : null}
        {answer ??
          (send.busy || send.error ? null : (
            <Empty title="Nothing sent yet">
              The answer appears here, with what it cost and what had to be adjusted.
            </Empty>
          ))}
      </section>
    </div>
  );
}

/** The providers of a tool in the order in which `auto` tries them by default. */
export function providersOf(
  all: readonly ProviderDescription[],
  schema: JsonSchema,
): ProviderDescription[] {
  const ids = schema.properties?.['provider']?.enum ?? [];
  return ids.flatMap((id) => all.filter((provider) => provider.id === id));
}

/** Whoever will serve: the one named, or the first that is configured. */
export function servedBy(
  candidates: readonly ProviderDescription[],
  chosen: string,
): ProviderDescription[] {
  const found = candidates.find(({ id, state }) =>
    chosen === 'auto' ? state === 'configured' : id === chosen,
  );
  return found ? [found] : [];
}

export function providerOptions(
  candidates: readonly ProviderDescription[],
): (readonly [string, string])[] {
  const [first] = servedBy(candidates, 'auto');
  const state = { configured: '', not_configured: ', not configured', disabled: ', switched off' };
  return [
    ['auto', first ? `auto (now ${first.name})` : 'auto'],
    ...candidates.map((one) => [one.id, `${one.name} (${one.id}${state[one.state]})`] as const),
  ];
}

/** The faults a refusal names, whoever threw it. */
export function issuesOf(error: Error | undefined): readonly ValidationIssue[] {
  const { issues } = (error ?? {}) as { issues?: unknown };
  return Array.isArray(issues) ? (issues as ValidationIssue[]) : [];
}
