// How the API is versioned.
export const versioning = {
  'versioning.prefix': 'The four endpoints are under /v1, and not without it.',
  'versioning.description': 'The API description says version 1.0.0.',
} as const;
