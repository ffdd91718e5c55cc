// A request to one provider while it is being written: who is asked, what is filled in, the form.
import { useMemo, useState } from 'react';
import { Select } from '../parts/field.tsx';
import { providerOptions, providersOf, servedBy } from './bench.tsx';
import type { BenchProps } from './bench.tsx';
import { fieldsOf, requestFrom } from './form-fields.ts';
import type { Filled } from './form-fields.ts';

export function useRequest({ all, schema }: BenchProps) {
  const [provider, setProvider] = useState('auto');
  const [filled, setFilled] = useState<Filled>({});
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
      onFill: (path: string, value: string) =>
        setFilled((before) => ({ ...before, [path]: value })),
    },
  };
}
