// The estimated cost of the request, which the gateway computes while the form is filled in.
import { useEffect, useEffectEvent, useState } from 'react';
import type { Estimate, ToolName } from '@trivium/contract';
import { gatewayClientFor } from '../api/clients.ts';
import { exactUsd } from '../format.ts';
import { useSession } from '../shell/session.tsx';

const pauseMs = 400;

interface Priced {
  key: string;
  estimates: Estimate[];
}

/** One estimate for each call, updated after each request; undefined while there is none. */
export function useEstimates(
  tool: ToolName,
  requests: readonly object[],
  { isComplete, isSending }: { isComplete: boolean; isSending: boolean },
): readonly Estimate[] | undefined {
  const { account } = useSession();
  const key = JSON.stringify([account.id, tool, requests]);
  const [priced, setPriced] = useState<Priced>();
  const ask = useEffectEvent(() => {
    const { client } = gatewayClientFor(account.id);
    // The requests were built by the form of this tool.
    const estimate = client.estimate as (tool: ToolName, request: object) => Promise<Estimate>;
    return Promise.all(requests.map((request) => estimate(tool, request)));
  });
  useEffect(() => {
    if (!isComplete || isSending) return undefined;
    let current = true;
    const price = async () => {
      // An invalid request has no price. Sending it shows what is wrong.
      const estimates = await ask().catch(() => undefined);
      if (current) setPriced(estimates && { key, estimates });
    };
    const timer = setTimeout(() => void price(), pauseMs);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [key, isComplete, isSending]);
  return isComplete && priced?.key === key ? priced.estimates : undefined;
}

export function EstimateNote({ estimates }: { estimates: readonly Estimate[] | undefined }) {
  if (!estimates) return <p className="estimate soft small" aria-live="polite" />;
  const most = sum(estimates.map(({ max_cost_usd }) => max_cost_usd));
  const held = sum(estimates.map(({ held_usd }) => held_usd));
  const balance = Math.min(...estimates.map(({ balance_usd }) => balance_usd));
  return (
    <p className="estimate small" aria-live="polite">
      {wordsFor(estimates, most, held)}
      {held > balance ? (
        <strong className="fault"> The balance of {exactUsd(balance)} does not cover it.</strong>
      ) : null}
    </p>
  );
}

function wordsFor(estimates: readonly Estimate[], most: number, held: number): string {
  const [first] = estimates;
  const hour = first?.hour_cost_usd ?? null;
  if (hour !== null) {
    const limit = held === most ? ', based on its length' : `; it may cost up to ${exactUsd(most)}`;
    return `Costs ${exactUsd(hour)} for an hour of audio. ${exactUsd(held)} is held${limit}.`;
  }
  const known = estimates.every(({ average_cost_usd }) => average_cost_usd !== null);
  const usual = sum(estimates.map(({ average_cost_usd }) => average_cost_usd ?? 0));
  const of = Math.min(...estimates.map(({ average_of }) => average_of));
  const requests = of === 1 ? 'The last request' : `The last ${of} requests`;
  const average = known ? ` ${requests} of this account cost ${exactUsd(usual)} on average.` : '';
  return `Costs at most ${exactUsd(most)}.${average}`;
}

function sum(amounts: readonly number[]): number {
  return Number(amounts.reduce((total, amount) => total + amount, 0).toFixed(6));
}
