// The state of a request form for one provider: the provider, the filled fields, the form.
import { useMemo } from 'react';
import type { ToolName } from '@trivium/contract';
import { Select } from '../components/field.tsx';
import { useKept } from '../components/use-kept.ts';
import { providerOptions, providersOf, servedBy } from './tool-layout.tsx';
import type { ToolProps } from './tool-layout.tsx';
import { fieldsOf, requestFrom } from './form-fields.ts';
import type { Filled } from './form-fields.ts';

export function useRequest(tool: ToolName, { all, schema }: ToolProps) {
  const [provider, setProvider] = useKept(`${tool} provider`, () => 'auto');
  const [filled, setFilled] = useKept<Filled>(`${tool} fields`, () => ({}));
  const fields = useMemo(() => fieldsOf(schema), [schema]);
  const candidates = providersOf(all, schema);
  return {
    request: { ...requestFrom(fields, filled), provider },
    who: (
      <Select
        label="provider"
        options={providerOptions(candidates)}
        value={provider}
        onChange={setProvider}
      />
    ),
    form: {
      fields,
      filled,
      providers: servedBy(candidates, provider),
      onFill: (path: string, value: string) => setFilled({ ...filled, [path]: value }),
    },
  };
}
