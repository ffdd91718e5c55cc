// How much the results of engines overlap, so that an operator can choose different engines for a
// panel.
import type { ProviderDescription } from '@trivium/contract';
import { count, share } from '../format.ts';
import { Empty } from '../components/basics.tsx';

export function OverlapTable({ providers }: { providers: readonly ProviderDescription[] }) {
  const compared = providers.filter(({ overlap }) => overlap !== undefined);
  return (
    <section className="stack tight" aria-label="Overlap">
      <h2>Overlap</h2>
      <p className="soft">
        The share of their first ten results that two engines have in common, over all fusions and
        shadow calls since this gateway started. Two engines that share most of their results add
        little to each other.
      </p>
      {compared.length === 0 ? (
        <Empty card title="Nothing to compare yet">
          A pair of engines appears after 20 fusions in which both answered.
        </Empty>
      ) : (
        <div className="table-box" role="region" aria-label="Overlap by engine" tabIndex={0}>
          <table className="matrix overlap">
            <thead>
              <tr>
                <th scope="col">Engine</th>
                {compared.map(({ id, name }) => (
                  <th key={id} scope="col">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {compared.map((row) => (
                <tr key={row.id}>
                  <th scope="row">{row.name}</th>
                  {compared.map(({ id }) => (
                    <td key={id}>
                      <Overlap of={row} with={id} />
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}

function Overlap({ of: provider, with: other }: { of: ProviderDescription; with: string }) {
  const known = provider.overlap?.find((one) => one.provider === other);
  if (!known) return <span className="soft">–</span>;
  return <span title={`${count(known.searches)} searches`}>{share(known.share, 1)}</span>;
}
