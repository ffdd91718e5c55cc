// Extraction by hand: addresses in, pages out.
import { useState } from 'react';
import type { ExtractRequestInput, ExtractResponse } from '@trivium/contract';
import { talkFor } from '../api/http.ts';
import { providerName } from '../api/names.ts';
import { useAction } from '../api/use-action.ts';
import { useSession } from '../shell/session.tsx';
import { Bench, issuesOf } from './bench.tsx';
import type { BenchProps } from './bench.tsx';
import { ExtractAnswer } from './extract-answer.tsx';
import { useRequest } from './use-request.tsx';

export function ExtractBench({ all, schema }: BenchProps) {
  const { account } = useSession();
  const { request, who, form } = useRequest({ all, schema });
  const [answer, setAnswer] = useState<ExtractResponse>();
  const send = useAction(async () => {
    setAnswer(undefined);
    const asked = request as unknown as ExtractRequestInput;
    setAnswer(await talkFor(account.id).client.extract(asked));
  });
  const told = { warnings: answer?.warnings ?? [], issues: issuesOf(send.error) };
  return (
    <Bench
      tool="extract"
      request={request}
      send={send}
      verb="Extract"
      working="Reading the pages"
      who={who}
      form={{ ...form, ...told, first: ['urls', 'query'] }}
      answer={
        answer ? (
          <ExtractAnswer answer={answer} name={providerName(all, answer.provider)} />
        ) : undefined
      }
    />
  );
}
