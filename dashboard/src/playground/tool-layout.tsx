// Shared by the three tools of the playground: the form on the left, the response on the right.
import { Suspense, useEffect, useEffectEvent, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import type { ProviderDescription, ToolName } from '@trivium/contract';
import type { Action } from '../api/use-action.ts';
import { BalanceTooLow } from '../api/errors.ts';
import { Button, Empty, ErrorNote, Loading } from '../components/basics.tsx';
import { storeState } from '../components/use-stored-state.ts';
import { lazyPage } from '../shell/lazy-page.ts';
import { setQuery, takeSendOnArrival } from '../shell/router.tsx';
import type { JsonSchema } from './form-fields.ts';
import { FirstFields, MoreFields } from './request-form.tsx';
import type { RequestFormProps } from './request-form.tsx';
import { EstimateNote, useEstimates } from './estimate.tsx';
import { HistoryList } from './history-list.tsx';
import type { PlaygroundHistory } from './history-list.tsx';
import { stateName } from './tool-state.ts';
import type { ToolState } from './share.ts';
import { Copy } from '../components/copy.tsx';
import { shareState } from './share.ts';

export interface ToolProps {
  all: readonly ProviderDescription[];
  schema: JsonSchema;
}

interface LayoutProps {
  tool: ToolName;
  /** One for each call; the first is shown as code. */
  requests: readonly object[];
  state: ToolState;
  change: (changes: Partial<ToolState>) => void;
  /** Incremented when an address fills in the form. */
  arrivals: number;
  history: PlaygroundHistory;
  send: Action<[]>;
  verb: string;
  working: string;
  /** Shown above the other fields. */
  way?: ReactNode;
  /** The choice of provider. */
  who: ReactNode;
  form: Omit<RequestFormProps, 'tool'>;
  answer: ReactNode;
  wide?: boolean;
}

export function ToolLayout(props: LayoutProps) {
  const { tool, requests, state, change, arrivals, history, send, verb, working } = props;
  const { way, who, form, answer, wide } = props;
  const arrive = useEffectEvent(() => {
    if (takeSendOnArrival()) send.run();
  });
  useEffect(() => {
    if (arrivals > 0) arrive();
  }, [arrivals]);
  const response = useShownWhenReady(send.busy, answer !== undefined || send.error !== undefined);
  const estimates = useEstimates(tool, requests, {
    isComplete: isComplete(form),
    isSending: send.busy,
  });
  return (
    <div className={wide ? 'tool-layout wide' : 'tool-layout'}>
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
          <ShareLink tool={tool} state={state} />
        </div>
        <EstimateNote estimates={estimates} />
        <MoreFields tool={tool} {...form} />
        <Code tool={tool} request={requests[0] ?? {}} />
        <HistoryList
          history={history}
          onChoose={(entry) => {
            if (entry.tool === tool) return change(entry.state);
            storeState(stateName(entry.tool), entry.state);
            return setQuery({ tool: entry.tool });
          }}
        />
      </form>
      <section
        ref={response}
        className="card stack"
        tabIndex={-1}
        aria-label="Response"
        aria-live="polite"
        aria-busy={send.busy}
      >
        <ErrorNote error={send.error} />
        {send.error instanceof BalanceTooLow ? (
          <Suspense>
            <TopUp />
          </Suspense>
        ) : null}
        {send.busy ? <Loading what={working} /> : null}
        {answer ??
          (send.busy || send.error ? null : (
            <Empty title="Nothing sent yet">
              The response appears here, with its cost and warnings.
            </Empty>
          ))}
      </section>
    </div>
  );
}

const TopUp = lazyPage(async () => (await import('../billing/top-up.tsx')).TopUp);
const CodeSamples = lazyPage(async () => (await import('./code-samples.tsx')).CodeSamples);

function Code({ tool, request }: { tool: ToolName; request: object }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>The same request as code</summary>
      {isOpen ? (
        <Suspense fallback={<Loading />}>
          <CodeSamples tool={tool} request={request} />
        </Suspense>
      ) : null}
    </details>
  );
}

/** If the response is below the form, scrolls to it and focuses it once it has arrived. */
function useShownWhenReady(isBusy: boolean, isReady: boolean) {
  const section = useRef<HTMLElement>(null);
  const wasBusy = useRef(false);
  useEffect(() => {
    const arrived = wasBusy.current && !isBusy && isReady;
    wasBusy.current = isBusy;
    const place = section.current?.getBoundingClientRect();
    if (!arrived || !place || place.left > narrowPx) return;
    section.current?.focus({ preventScroll: true });
    section.current?.scrollIntoView({ block: 'start' });
  }, [isBusy, isReady]);
  return section;
}

/** A response beside the form begins further from the left than this. */
const narrowPx = 330;

/** Whether every required field is filled in. */
function isComplete({ fields, filled }: LayoutProps['form']): boolean {
  return fields.every(({ path, required }) => !required || (filled[path] ?? '').trim() !== '');
}

/** The providers of a tool in the order in which `auto` tries them by default. */
export function providersOf(
  all: readonly ProviderDescription[],
  schema: JsonSchema,
): ProviderDescription[] {
  const ids = schema.properties?.['provider']?.enum ?? [];
  return ids.flatMap((id) => all.filter((provider) => provider.id === id));
}

/** The provider that will serve: the chosen one, or the first that `auto` would call now. */
export function servedBy(
  candidates: readonly ProviderDescription[],
  chosen: string,
): ProviderDescription[] {
  const configured = candidates.filter(({ state }) => state === 'configured');
  const found =
    chosen === 'auto'
      ? (configured.find(({ health }) => health?.circuit !== 'open') ?? configured[0])
      : candidates.find(({ id }) => id === chosen);
  return found ? [found] : [];
}

export function providerOptions(
  candidates: readonly ProviderDescription[],
): (readonly [string, string])[] {
  const [first] = servedBy(candidates, 'auto');
  const state = { configured: '', not_configured: ', not configured', disabled: ', disabled' };
  return [
    ['auto', first ? `auto (now ${first.name})` : 'auto'],
    ...candidates.map((one) => [one.id, `${one.name} (${one.id}${state[one.state]})`] as const),
  ];
}

function ShareLink({ tool, state }: { tool: ToolName; state: ToolState }) {
  const { address, leftOut } = shareState(location.origin, tool, state);
  return (
    <>
      <Copy text={address} what="Copy a link" />
      {leftOut.length === 0 ? null : (
        <span className="small soft">
          Not in the link, because it may contain a secret: {leftOut.join(', ')}.
        </span>
      )}
    </>
  );
}
