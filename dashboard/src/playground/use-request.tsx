// The state of a request form for one provider: the provider, the filled fields, the form.
import { useMemo } from 'react';
import type { ToolName } from '@trivium/contract';
import { Select } from '../components/field.tsx';
import { useHistory } from './history-list.tsx';
import { providerOptions, providersOf, servedBy } from './tool-layout.tsx';
import type { ToolProps } from './tool-layout.tsx';
import { fieldsOf, requestFrom } from './form-fields.ts';
import { useToolState } from './tool-state.ts';

export function useRequest<T>(tool: ToolName, { all, schema }: ToolProps) {
  const fields = useMemo(() => fieldsOf(schema), [schema]);
  const candidates = providersOf(all, schema);
  const [state, change, arrivals] = useToolState(tool, { fields, candidates, panel: () => [] });
  const { provider, filled } = state;
  return {
    state,
    change,
    arrivals,
    history: useHistory(),
    request: { ...requestFrom<T>(fields, filled), provider },
    who: (
      <Select
        label="provider"
        options={providerOptions(candidates)}
        value={provider}
        onChange={(chosen) => change({ provider: chosen })}
      />
    ),
    form: {
      fields,
      filled,
      providers: servedBy(candidates, provider),
      onFill: (path: string, value: string) => change({ filled: { ...filled, [path]: value } }),
    },
  };
}
