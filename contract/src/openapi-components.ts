// The schemas that have a name in the OpenAPI document, by which all others refer to them.
import {
  Balance,
  ProviderDescription,
  ProviderHealth,
  ProvidersResponse,
  ToolDescription,
} from './account.ts';
import {
  Account,
  AccountList,
  AccountRequest,
  AdjustmentRequest,
  Key,
  KeyChange,
  KeyList,
  KeyRequest,
  NewKey,
  RefundRequest,
  RequestLine,
  RequestList,
  TopupRequest,
  TransferLine,
  TransferList,
  UsageLine,
  UsageReport,
} from './admin.ts';
import { JobLine, JobList, JobStep } from './job-list.ts';
import { MemoryAudit } from './audit.ts';
import { Overview, ProviderCheck, ProviderRecordList } from './overview.ts';
import {
  InviteRequest,
  Joined,
  JoinRequest,
  NewInvite,
  PeopleList,
  Removed,
  SessionView,
} from './people.ts';
import { Usage, Warning } from './common.ts';
import { ErrorEnvelope, ValidationIssue } from './errors.ts';
import { ExtractFailure, ExtractRequest, ExtractResponse, ExtractResult } from './extract.ts';
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
  NativeOptions,
  Warning,
  Usage,
  Balance,
  ProvidersResponse,
  ProviderDescription,
  ProviderHealth,
  ToolDescription,
  ErrorEnvelope,
  ValidationIssue,
  Account,
  AccountList,
  AccountRequest,
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
  RequestList,
  UsageLine,
  UsageReport,
  JobLine,
  JobStep,
  JobList,
  MemoryAudit,
  Overview,
  ProviderRecordList,
  ProviderCheck,
  SessionView,
  JoinRequest,
  Joined,
  PeopleList,
  InviteRequest,
  NewInvite,
  Removed,
};

export type ComponentName = keyof typeof components;
