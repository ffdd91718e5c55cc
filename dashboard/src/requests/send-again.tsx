// Sends a request of the log again, also with another engine, opens it in the playground, or copies a
// link to it.
import type { RequestLine } from '@trivium/contract';
import { useProviders } from '../api/names.ts';
import { Button } from '../components/basics.tsx';
import { Copy } from '../components/copy.tsx';
import { Link, navigate, sendOnArrival, withAccount } from '../shell/router.tsx';
import { useMayChange } from '../shell/session.tsx';
import { playgroundAddress } from './logged-request.ts';

export function SendAgain({ request }: { request: RequestLine }) {
  const mayChange = useMayChange();
  const isKept = (request.asked !== null || request.parameters !== null) && mayChange;
  // The log does not keep all of a long text or a signed address.
  const isWhole = request.asked !== null && !request.asked.includes('…');
  const send = (engine?: string) => {
    sendOnArrival();
    navigate(withAccount(playgroundAddress(request, engine)));
  };
  return (
    <>
      <div className="row">
        {isKept && isWhole ? (
          <Button kind="primary" onPress={() => send()}>
            Send again
          </Button>
        ) : null}
        {isKept ? (
          <Link to={playgroundAddress(request)} className="button">
            Open in playground
          </Link>
        ) : null}
        <Copy
          what="Copy a link"
          text={`${location.origin}/requests?request=${request.id}&account=${request.account_id}`}
        />
      </div>
      {isKept && isWhole ? <OtherEngines of={request} send={send} /> : null}
    </>
  );
}

interface OtherEnginesProps {
  of: RequestLine;
  send: (engine: string) => void;
}

/** One click each, to compare engines on the same request. */
function OtherEngines({ of: { tool, provider }, send }: OtherEnginesProps) {
  const others = (useProviders().data?.providers ?? []).filter(
    ({ id, state, tools }) => state === 'configured' && tools[tool] && id !== provider,
  );
  if (others.length === 0) return null;
  return (
    <div className="again" role="group" aria-label="Send again with another engine">
      <span className="small soft">Again with</span>
      {others.map(({ id, name }) => (
        <Button key={id} kind="plain" onPress={() => send(id)}>
          {name}
        </Button>
      ))}
    </div>
  );
}
