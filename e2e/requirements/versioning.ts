// How the API is versioned.
import type { Requirement } from '../requirement.ts';

export const versioning = [
  { id: 'versioning.prefix', says: 'The four endpoints are under /v1, and not without it.' },
  { id: 'versioning.description', says: 'The API description says version 1.0.0.' },
] as const satisfies readonly Requirement[];
