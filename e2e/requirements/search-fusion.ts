// Fusion: several engines, one list.
import type { Requirement } from '../requirement.ts';

export const searchFusion = [
  {
    id: 'fusion.providers.known-engines',
    says: 'The members of a fusion are engines; anything else among them is refused.',
  },
  {
    id: 'fusion.providers.default-panel',
    says: 'The panel is engines a, b, j and k unless the request names another.',
  },
  {
    id: 'fusion.providers.intersected',
    says: 'The default panel is reduced to the configured engines.',
  },
  {
    id: 'fusion.providers.named',
    says: 'A panel that the request names is the one that runs.',
  },
  {
    id: 'fusion.timeout.integer',
    says: 'A fusion timeout_ms that is not a whole number is refused.',
  },
  {
    id: 'fusion.timeout.default',
    says: 'A member has ten seconds unless the request says otherwise.',
  },
  {
    id: 'fusion.timeout.retried-once',
    says: 'A member still running at its deadline is called once more.',
  },
  {
    id: 'fusion.timeout.dropped',
    says: 'A member that is late twice is dropped with a warning, and the others answer.',
  },
  { id: 'fusion.top-k.integer', says: 'A top_k that is not a whole number is refused.' },
  {
    id: 'fusion.top-k.default',
    says: 'The top three of every member stay unless the request says otherwise.',
  },
  {
    id: 'fusion.top-k.always-kept',
    says: 'The first top_k results of every member are always kept.',
  },
  {
    id: 'fusion.top-k.deeper-needs-two',
    says: 'A deeper result stays only if at least two engines returned it.',
  },
  {
    id: 'fusion.top-k.full-union',
    says: 'With a top_k of ten or more and ten results each, nothing is lost.',
  },
  {
    id: 'fusion.max-results.sizes-members',
    says: 'max_results sizes the list of each member, not the merged one.',
  },
  { id: 'fusion.fans-out', says: 'Every member of the panel is called.' },
  {
    id: 'fusion.merges-by-consensus',
    says: 'A page that several members returned is one result.',
  },
  {
    id: 'fusion.cost.default-panel',
    says: 'A fusion with the default panel costs about two cents.',
  },
  {
    id: 'fusion.accepts-only-known-keys',
    says: 'An unknown key in provider_options.fusion is refused.',
  },
] as const satisfies readonly Requirement[];
