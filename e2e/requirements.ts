// Every requirement of the specification, one sentence each, and the type of their ids.
import { common } from './requirements/common.ts';
import { search } from './requirements/search.ts';
import { extraction } from './requirements/extraction.ts';
import { transcription } from './requirements/transcription.ts';
import { decisions } from './requirements/decisions.ts';
import { decisionsRequests } from './requirements/decisions-requests.ts';
import { operation } from './requirements/operation.ts';

export interface Requirement {
  /** Stable, kebab-case, dotted by chapter: tests cite it. */
  id: string;
  says: string;
}

const chapters = [
  common,
  search,
  extraction,
  transcription,
  decisions,
  decisionsRequests,
  operation,
];

export const requirements: readonly Requirement[] = chapters.flatMap((chapter) =>
  Object.entries(chapter).map(([id, says]) => ({ id, says })),
);

type IdsOf<Chapter> = Chapter extends unknown ? keyof Chapter : never;
export type RequirementId = IdsOf<(typeof chapters)[number]>;
