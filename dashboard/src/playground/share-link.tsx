// Copies an address that opens the playground with the same request.
import type { ToolName } from '@trivium/contract';
import { Copy } from '../components/copy.tsx';
import { shareState } from './share.ts';
import type { ToolState } from './tool-input.ts';

export function ShareLink({ tool, state }: { tool: ToolName; state: ToolState }) {
  const { address, leftOut } = shareState(location.origin, tool, state);
  return (
    <>
      <Copy text={address} what="Copy a link" />
      {leftOut.length === 0 ? null : (
        <span className="small soft">
          Not in the link, because it may contain a secret: {leftOut.join(', ')}.
        </span>
      )}
    </>
  );
}
