// What every answer begins with: who served, what it cost, how long it took, what was adjusted.
import type { Usage, Warning } from '@trivium/contract';
import { milliseconds, usd } from '../format.ts';
import { Tag } from '../parts/basics.tsx';

interface AnswerHeadProps {
  provider: string;
  usage?: Usage | undefined;
  latency_ms?: number | undefined;
  warnings: readonly Warning[];
}

export function AnswerHead({ provider, usage, latency_ms, warnings }: AnswerHeadProps) {
  return (
    <div className="stack tight">
      <p className="row numeric">
        <strong>{provider}</strong>
        {usage ? <span>{usd(usage.cost_usd)}</span> : null}
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

export function Raw({ value }: { value: unknown }) {
  return (
    <details>
      <summary>Raw answer</summary>
      <pre className="code" tabIndex={0} aria-label="Raw answer">
        {JSON.stringify(value, null, 2)}
      </pre>
    </details>
  );
}
