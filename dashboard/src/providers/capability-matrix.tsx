// A table of every parameter and every provider of a tool, with the prices.
import type { ProviderDescription, ToolDescription, ToolName } from '@trivium/contract';
import { exactUsd } from '../format.ts';
import { Empty } from '../components/basics.tsx';
import { Table } from '../components/table.tsx';
import { supportOf } from '../playground/support.ts';

interface ToolProps {
  providers: readonly ProviderDescription[];
  tool: ToolName;
}

const signs: Readonly<Record<string, string>> = {
  honoured: '●',
  approximated: '≈',
  'filtered afterwards': '▽',
  depends: '?',
  ignored: '–',
};

export function CapabilityMatrix({ providers, tool }: ToolProps) {
  const able = withTool(providers, tool);
  const params = [...new Set(able.flatMap(({ own }) => Object.keys(own.capabilities)))];
  if (able.length === 0) {
    return (
      <Empty card title="No providers">
        No provider of this gateway offers this tool.
      </Empty>
    );
  }
  return (
    <div className="stack tight">
      <div className="table-box" role="region" aria-label="Capabilities" tabIndex={0}>
        <table className="matrix">
          <thead>
            <tr>
              <th scope="col">Parameter</th>
              {able.map(({ provider }) => (
                <th key={provider.id} scope="col">
                  {provider.name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {params.map((param) => (
              <tr key={param}>
                <th scope="row">
                  <code>{param}</code>
                </th>
                {able.map(({ provider }) => (
                  <td key={provider.id}>
                    <Cell provider={provider} tool={tool} param={param} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p className="small soft">
        {Object.entries(signs)
          .map(([word, sign]) => `${sign} ${word}`)
          .join('   ')}
      </p>
    </div>
  );
}

interface CellProps {
  provider: ProviderDescription;
  tool: ToolName;
  param: string;
}

function Cell({ provider, tool, param }: CellProps) {
  const support = supportOf([provider], tool, param);
  if (!support) return null;
  const words = support.note === undefined ? support.word : `${support.word}: ${support.note}`;
  return (
    <span className={`dot ${support.tone}`} title={words}>
      <span aria-hidden="true">{signs[support.word] ?? ''}</span>
      <span className="hidden-text">{words}</span>
    </span>
  );
}

export function PriceTable({ providers, tool }: ToolProps) {
  const able = withTool(providers, tool);
  return (
    <Table
      label="Prices"
      rows={able}
      keyOf={({ provider }) => provider.id}
      columns={[
        { title: 'Provider', show: ({ provider }) => provider.name },
        {
          title: 'Price in USD',
          wrap: true,
          show: ({ own }) =>
            Object.entries(own.prices)
              .map(([name, price]) => `${name.replaceAll('_', ' ')} ${exactUsd(price)}`)
              .join(', '),
        },
      ]}
    />
  );
}

function withTool(
  providers: readonly ProviderDescription[],
  tool: ToolName,
): { provider: ProviderDescription; own: ToolDescription }[] {
  return providers.flatMap((provider) => {
    const own = provider.tools[tool];
    return own ? [{ provider, own }] : [];
  });
}
