// One result of `trivium doctor`.
import { explainConnection } from '@trivium/sdk/connection-failure';
import { ApiError, TriviumError } from '@trivium/sdk';

export interface Finding {
  check: string;
  state: 'ok' | 'note' | 'fault';
  found: string;
  advice?: string;
}

export function messageOf(error: unknown): string {
  if (error instanceof ApiError) return `${error.type}: ${error.message}`;
  return error instanceof TriviumError ? error.message : explainConnection(error).words;
}
