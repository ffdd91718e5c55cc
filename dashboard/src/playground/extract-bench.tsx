// Extraction by hand: addresses in, pages out.
import { useMemo, useState } from 'react';
import type { ExtractRequestInput, ExtractResponse } from '@trivium/contract';
import { talkFor } from '../api/http.ts';
import { providerName } from '../api/names.ts';
import { useAction } from '../api/use-action.ts';
import { Select } from '../parts/field.tsx';
import { useSession } from '../shell/session.tsx';
import { Bench, issuesOf, providerOptions, providersOf, servedBy } from './bench.tsx';
import type { BenchProps } from './bench.tsx';
import { ExtractAnswer } from './extract-answer.tsx';
import { fieldsOf, requestFrom } from './form-fields.ts';
import type { Filled } from './form-fields.ts';

export function ExtractBench({ all, schema }: BenchProps) {
  const { account } = useSession();
  const [provider, setProvider] = useState('auto');
  const [filled, setFilled] = useState<Filled>({});
  const [answer, setAnswer] = useState<ExtractResponse>();
  const fields = useMemo(() => fieldsOf(schema), [schema]);
  const candidates = providersOf(all, schema);
  const request = { ...requestFrom(fields, filled), provider } as unknown as ExtractRequestInput;
  const send = useAction(async () => {
    setAnswer(undefined);
    setAnswer(await talkFor(account.id).client.extract(request));
  });
  return (
    <Bench
      tool="extract"
      request={request}
      send={send}
      verb="Extract"
      working="Reading the pages"
      who={
        <Select
          label="provider"
          options={providerOptions(candidates)}
          value={provider}
          onChange={setProvider}
        />
      }
      form={{
        fields,
        first: ['urls', 'query'],
        providers: servedBy(candidates, provider),
        filled,
        onFill: (path, value) => setFilled((before) => ({ ...before, [path]: value })),
        warnings: answer?.warnings ?? [],
        issues: issuesOf(send.error),
      }}
      answer={
        answer ? (
          <ExtractAnswer answer={answer} name={providerName(all, answer.provider)} />
        ) : undefined
      }
    />
  );
}
