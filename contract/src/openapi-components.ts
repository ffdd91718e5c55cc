// The named schemas of the OpenAPI document.
import {
  AutoOrder,
  Balance,
  ProviderDescription,
  ProviderHealth,
  ProviderOverlap,
  ProvidersResponse,
  ToolDescription,
} from './account.ts';
import {
  Account,
  AccountChange,
  AccountList,
  AccountRequest,
  AdjustmentRequest,
  Key,
  KeyChange,
  KeyList,
  KeyRequest,
  NewKey,
  RefundRequest,
  TopupRequest,
  TransferLine,
  TransferList,
  UsageLine,
  UsageReport,
} from './admin.ts';
import { RequestAttempt, RequestCostPart, RequestLine, RequestList } from './request-log.ts';
import { Activity } from './activity.ts';
import { JobLine, JobList, JobStep } from './job-list.ts';
import { MemoryAudit } from './audit.ts';
import { CacheCleared, CacheStatus } from './cache.ts';
import { AuditActor, AuditEntry, AuditList } from './audit-log.ts';
import { Overview, ProviderCheck, ProviderRecordList } from './overview.ts';
import {
  InviteRequest,
  InviteCheck,
  InviteState,
  Joined,
  JoinRequest,
  NewInvite,
  PeopleList,
  Removed,
  SessionView,
} from './people.ts';
import { Usage, Warning } from './common.ts';
import { ErrorEnvelope } from './errors.ts';
import { ExtractFailure, ExtractRequest, ExtractResponse, ExtractResult } from './extract.ts';
import { ExtractEngineId, ProviderId, SearchEngineId, TranscriberId } from './ids.ts';
import { NativeOptions } from './native-options.ts';
import { FusionOptions, SearchRequest, SearchResponse, SearchResult } from './search.ts';
import {
  Job,
  JobError,
  Transcript,
  TranscriptionAccepted,
  TranscriptionRequest,
  TranscriptionUsage,
  Word,
} from './transcription.ts';

export const components = {
  SearchRequest,
  FusionOptions,
  SearchResponse,
  SearchResult,
  ExtractRequest,
  ExtractResponse,
  ExtractResult,
  ExtractFailure,
  TranscriptionRequest,
  TranscriptionAccepted,
  Job,
  Transcript,
  TranscriptionUsage,
  Word,
  JobError,
  SearchEngineId,
  ExtractEngineId,
  TranscriberId,
  ProviderId,
  NativeOptions,
  Warning,
  Usage,
  Balance,
  ProvidersResponse,
  ProviderDescription,
  ProviderHealth,
  ProviderOverlap,
  AutoOrder,
  ToolDescription,
  ErrorEnvelope,
  Account,
  AccountList,
  AccountRequest,
  AccountChange,
  TopupRequest,
  AdjustmentRequest,
  RefundRequest,
  TransferLine,
  TransferList,
  Key,
  KeyRequest,
  KeyChange,
  NewKey,
  KeyList,
  RequestLine,
  RequestAttempt,
  RequestCostPart,
  RequestList,
  UsageLine,
  UsageReport,
  JobLine,
  JobStep,
  JobList,
  AuditActor,
  AuditEntry,
  AuditList,
  MemoryAudit,
  CacheStatus,
  CacheCleared,
  Activity,
  Overview,
  ProviderRecordList,
  ProviderCheck,
  SessionView,
  InviteCheck,
  InviteState,
  JoinRequest,
  Joined,
  PeopleList,
  InviteRequest,
  NewInvite,
  Removed,
};

export type ComponentName = keyof typeof components;
