// Every requirement of the specification, one sentence each, and the type of their ids.
import { conventions } from './requirements/conventions.ts';
import { identifiers } from './requirements/identifiers.ts';
import { warnings } from './requirements/warnings.ts';
import { usage } from './requirements/usage.ts';
import { job } from './requirements/job.ts';
import { jobResult } from './requirements/job-result.ts';
import { jobStates } from './requirements/job-states.ts';
import { searchResponse } from './requirements/search-response.ts';
import { extractResponse } from './requirements/extract-response.ts';
import { searchRequest } from './requirements/search-request.ts';
import { searchEngines } from './requirements/search-engines.ts';
import { searchFusion } from './requirements/search-fusion.ts';
import { extractRequest } from './requirements/extract-request.ts';
import { transcriptionRequest } from './requirements/transcription-request.ts';
import { transcriptionBehaviour } from './requirements/transcription-behaviour.ts';
import { authentication } from './requirements/authentication.ts';
import { errors } from './requirements/errors.ts';
import { limits } from './requirements/limits.ts';
import { versioning } from './requirements/versioning.ts';
import { decisionsMoney } from './requirements/decisions-money.ts';
import { decisionsChoice } from './requirements/decisions-choice.ts';
import { decisionsRequests } from './requirements/decisions-requests.ts';
import { decisionsCalls } from './requirements/decisions-calls.ts';
import { decisionsResults } from './requirements/decisions-results.ts';
import { decisionsFusion } from './requirements/decisions-fusion.ts';
import { decisionsTranscription } from './requirements/decisions-transcription.ts';
import { decisionsSurface } from './requirements/decisions-surface.ts';
import { features } from './requirements/features.ts';
import { settings } from './requirements/settings.ts';

export interface Requirement {
  /** Stable, kebab-case, dotted by chapter: tests cite it. */
  id: string;
  says: string;
}

const chapters = [
  conventions,
  identifiers,
  warnings,
  usage,
  job,
  jobResult,
  jobStates,
  searchResponse,
  extractResponse,
  searchRequest,
  searchEngines,
  searchFusion,
  extractRequest,
  transcriptionRequest,
  transcriptionBehaviour,
  authentication,
  errors,
  limits,
  versioning,
  decisionsMoney,
  decisionsChoice,
  decisionsRequests,
  decisionsCalls,
  decisionsResults,
  decisionsFusion,
  decisionsTranscription,
  decisionsSurface,
  features,
  settings,
];

export const requirements: readonly Requirement[] = chapters.flatMap((chapter) =>
  Object.entries(chapter).map(([id, says]) => ({ id, says })),
);

type IdsOf<Chapter> = Chapter extends unknown ? keyof Chapter : never;
export type RequirementId = IdsOf<(typeof chapters)[number]>;
