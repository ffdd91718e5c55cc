// What a person has entered for one tool of the playground: kept in this tab, or taken from a
// shared address or the history.
import { useEffect, useEffectEvent, useState } from 'react';
import type { ProviderDescription, ToolName } from '@trivium/contract';
import { useStoredState } from '../components/use-stored-state.ts';
import { setQuery, useLocation } from '../shell/router.tsx';
import type { FieldSpec } from './form-fields.ts';
import type { ToolState } from './share.ts';
import { readShared, sharedNames } from './share.ts';

export function stateName(tool: ToolName): string {
  return `${tool} state`;
}

interface ToolStateOptions {
  fields: readonly FieldSpec[];
  candidates: readonly ProviderDescription[];
  panel: () => readonly string[];
}

export function useToolState(
  tool: ToolName,
  { fields, candidates, panel }: ToolStateOptions,
): [ToolState, (changes: Partial<ToolState>) => void, arrivals: number] {
  const [state, setState] = useStoredState<ToolState>(stateName(tool), () => ({
    provider: 'auto',
    filled: {},
    way: 'one',
    panel: panel(),
  }));
  const [arrivals, setArrivals] = useState(0);
  const { query } = useLocation();
  const address = query.toString();
  const takeShared = useEffectEvent(() => {
    const shared = readShared(query, fields, candidates);
    if (!shared) return;
    setState({ ...state, ...shared });
    setArrivals((before) => before + 1);
    // The form now has the values of the address, so they are removed from the address.
    setQuery(Object.fromEntries(sharedNames(fields).map((name) => [name, undefined])));
  });
  useEffect(() => takeShared(), [address]);
  return [state, (changes) => setState({ ...state, ...changes }), arrivals];
}
