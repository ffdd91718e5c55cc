// Refuses requests that the caller's policy does not allow, before money is held.
import { GatewayError, type ProviderId, type ToolName } from '@trivium/contract';
import type { RequestPolicy } from '../policy/core/index.ts';

/** Undefined if nothing is limited. */
type MaybePolicy = RequestPolicy | undefined;

export function checkTool(policy: MaybePolicy, tool: ToolName): void {
  const tools = policy?.tools;
  if (!tools || tools.includes(tool)) return;
  throw notAllowed('', tool, tools);
}

export function checkProviders(policy: MaybePolicy, calls: readonly ProviderId[]): void {
  const providers = policy?.providers;
  if (!providers) return;
  const refused = calls.filter((id) => !providers.includes(id));
  if (refused.length > 0) throw notAllowed('provider', refused.join(', '), providers);
}

function notAllowed(path: string, refused: string, allowed: readonly string[]): GatewayError {
  const left = allowed.length === 0 ? 'none' : allowed.join(', ');
  const message = `This key is not allowed to use ${refused}. It is allowed to use: ${left}.`;
  const issues = [{ path, code: notAllowedCode, message }];
  return new GatewayError('invalid_request', message, { issues, allowed });
}

/** The order of `auto`, without the providers that the caller may not use. */
export function allowedOrder<T extends ProviderId>(
  policy: MaybePolicy,
  order: readonly T[],
): readonly T[] {
  const providers = policy?.providers;
  if (!providers) return order;
  const left = order.filter((id) => providers.includes(id));
  if (left.length === 0) checkProviders(policy, order);
  return left;
}

export function checkAudioUrl(policy: MaybePolicy, audioUrl: string): void {
  if (!policy?.allowsPage || policy.allowsPage(audioUrl)) return;
  const message = `Must be an address that the policy allows: ${pageNotAllowed}.`;
  const issues = [{ path: 'audio_url', code: notAllowedCode, message }];
  throw new GatewayError('invalid_request', `audio_url: ${message}`, { issues });
}

/** Why a page is not served. */
export const pageNotAllowed = 'the policy of this account or key does not allow its domain';

/**
 * Refuses a stored answer with a page that the current policy does not allow, because a new request
 * would not get that page.
 */
export function checkStoredPages(policy: MaybePolicy, answer: string): void {
  const allowsPage = policy?.allowsPage;
  if (!allowsPage) return;
  const refused = pagesIn(JSON.parse(answer)).find((url) => !allowsPage(url));
  if (refused === undefined) return;
  const message = `The stored answer has the page ${refused}, and ${pageNotAllowed}.`;
  const issues = [{ path: '', code: notAllowedCode, message }];
  throw new GatewayError('invalid_request', `${message} Use a new Idempotency-Key.`, { issues });
}

/** Empty for the receipt of a job. */
function pagesIn(answer: unknown): string[] {
  const { results = [] } = answer as { results?: readonly { url: string }[] };
  return results.map(({ url }) => url);
}

/** True if the error means that the policy does not allow the request. */
export function isPolicyRefusal(error: unknown): error is GatewayError {
  if (!(error instanceof GatewayError)) return false;
  const { issues = [] } = (error.detail ?? {}) as { issues?: readonly { code?: string }[] };
  return issues.some(({ code }) => code === notAllowedCode);
}

const notAllowedCode = 'not_allowed';
