// Adds a request to the history once it has succeeded or failed.
import type { ToolName, Usage } from '@trivium/contract';
import { asError } from '../api/errors.ts';
import type { PlaygroundHistory } from './history-list.tsx';
import type { ToolState } from './share.ts';

interface Sender {
  state: ToolState;
  history: PlaygroundHistory;
}

export async function recordRequest<T>(
  { state, history }: Sender,
  tool: ToolName,
  sent: Promise<T>,
  usageOf: (answer: T) => Usage | undefined,
): Promise<T> {
  try {
    const answer = await sent;
    history.add({ tool, state, cost_usd: usageOf(answer)?.cost_usd ?? null, error: null });
    return answer;
  } catch (error) {
    history.add({ tool, state, cost_usd: null, error: asError(error).message });
    throw error;
  }
}
