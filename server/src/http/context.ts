// What the routes need from the application, built once at start.
import type { AttentionList, ProviderCheck, ProvidersResponse } from '@trivium/contract';
import type { Authenticator } from '../accounts/index.ts';
import type { Cache } from '../cache/index.ts';
import type { EventsContext } from '../events/index.ts';
import type { ByteBudget } from '../platform/byte-budget.ts';
import type { StoredBytes } from '../requests/index.ts';
import type { SearchContext } from '../search/index.ts';
import type { JobContext } from '../transcription/index.ts';
import type { Admit, EnterRead } from './limits.ts';
import type { PaidTools } from './routes/api/tools.ts';
import type { Readiness } from './routes/api/meta.ts';
import type { OAuthServices } from './routes/oauth.ts';
import type { SignInServices } from './routes/people.ts';
import type { DashboardFiles, LoadFiles } from './routes/web-files.ts';

export interface HttpContext extends SearchContext {
  bytes: ByteBudget;
  cache: Cache;
  stored: StoredBytes;
  authenticator: Authenticator;
  jobs: JobContext;
  events: EventsContext;
  tools: PaidTools;
  admit: Admit;
  enterRead: EnterRead;
  signInServices: SignInServices;
  oauth: OAuthServices;
  readiness: Readiness;
  dashboard: DashboardFiles;
  docs: LoadFiles;
  /** The providers and the current order of `auto`. */
  describe: () => ProvidersResponse;
  /** Makes one real, cheap call to a provider. */
  checkProvider: (id: string) => Promise<ProviderCheck>;
  readAttention: (accountId: string, isOperator: boolean) => Promise<AttentionList>;
}
