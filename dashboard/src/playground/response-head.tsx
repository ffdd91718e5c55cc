// The head of every response: provider, cost, latency and warnings.
import { useState } from 'react';
import type { Usage, Warning } from '@trivium/contract';
import { milliseconds, exactUsd } from '../format.ts';
import { Tag } from '../components/basics.tsx';

interface ResponseHeadProps {
  provider: string;
  usage?: Usage | undefined;
  latency_ms?: number | undefined;
  warnings: readonly Warning[];
}

export function ResponseHead({ provider, usage, latency_ms, warnings }: ResponseHeadProps) {
  return (
    <div className="stack tight">
      <p className="row numeric">
        <strong>{provider}</strong>
        {usage ? <span>{exactUsd(usage.cost_usd)}</span> : null}
        {latency_ms === undefined ? null : <span>{milliseconds(latency_ms)}</span>}
        <span className="soft">
          {warnings.length === 0 ? 'Honoured exactly' : `${warnings.length} adjusted`}
        </span>
      </p>
      {warnings.length === 0 ? null : (
        <ul className="note warn">
          {warnings.map((warning) => (
            <li key={`${warning.param ?? ''}${warning.message}`}>
              {warning.param === undefined ? null : <Tag tone="warn">{warning.param}</Tag>}{' '}
              {warning.message}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/**
 * The raw response of a long transcript has megabytes, so it is rendered only when it is opened.
 */
export function Raw({ value }: { value: unknown }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>Raw response</summary>
      {isOpen ? (
        <pre className="code" tabIndex={0} aria-label="Raw response">
          {JSON.stringify(value, null, 2)}
        </pre>
      ) : null}
    </details>
  );
}
