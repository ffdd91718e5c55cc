// The playground's form for extraction.
import type { ExtractRequestInput, ExtractResponse } from '@trivium/contract';
import { gatewayClientFor } from '../api/clients.ts';
import { providerName } from '../api/names.ts';
import { issuesOf } from '../api/errors.ts';
import { useAction } from '../api/use-action.ts';
import { useStoredState } from '../components/use-stored-state.ts';
import { useSession } from '../shell/session.tsx';
import { ToolLayout } from './tool-layout.tsx';
import type { ToolProps } from './tool-layout.tsx';
import { ExtractedPages } from './extracted-pages.tsx';
import { recordRequest } from './record-request.ts';
import { useRequest } from './use-request.tsx';

export function ExtractTool({ all, schema }: ToolProps) {
  const { account } = useSession();
  const { request, who, form, ...kept } = useRequest<ExtractRequestInput>('extract', {
    all,
    schema,
  });
  const [answer, setAnswer] = useStoredState<ExtractResponse | undefined>(
    `extract answer ${account.id}`,
    () => undefined,
  );
  const send = useAction(async () => {
    setAnswer(undefined);
    const { client } = gatewayClientFor(account.id);
    setAnswer(await recordRequest(kept, 'extract', client.extract(request), ({ usage }) => usage));
  });
  const feedback = { warnings: answer?.warnings ?? [], issues: issuesOf(send.error) };
  return (
    <ToolLayout
      tool="extract"
      requests={[request]}
      {...kept}
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
