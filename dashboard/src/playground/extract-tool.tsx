// The playground's form for extraction.
import { useState } from 'react';
import type { ExtractRequestInput, ExtractResponse } from '@trivium/contract';
import { gatewayClientFor } from '../api/http.ts';
import { providerName } from '../api/names.ts';
import { issuesOf } from '../api/refusals.ts';
import { useAction } from '../api/use-action.ts';
import { useSession } from '../shell/session.tsx';
import { ToolLayout } from './tool-layout.tsx';
import type { ToolProps } from './tool-layout.tsx';
import { ExtractedPages } from './extracted-pages.tsx';
import { useRequest } from './use-request.tsx';

export function ExtractTool({ all, schema }: ToolProps) {
  const { account } = useSession();
  const { request, who, form } = useRequest('extract', { all, schema });
  const [answer, setAnswer] = useState<ExtractResponse>();
  const send = useAction(async () => {
    setAnswer(undefined);
    const asked = request as unknown as ExtractRequestInput;
    setAnswer(await gatewayClientFor(account.id).client.extract(asked));
  });
  const feedback = { warnings: answer?.warnings ?? [], issues: issuesOf(send.error) };
  return (
    <ToolLayout
      tool="extract"
      request={request}
      send={send}
      verb="Extract"
      working="Reading the pages"
      who={who}
      form={{ ...form, ...feedback, first: ['urls', 'query'] }}
      answer={
        answer ? <ExtractedPages answer={answer} name={providerName(answer.provider)} /> : undefined
      }
    />
  );
}
