// The contract of the gateway as data: what may be asked, what is answered, how it fails.
export * from './ids.ts';
export * from './common.ts';
export * from './native-options.ts';
export * from './search.ts';
export * from './extract.ts';
export * from './private-host.ts';
export * from './transcription.ts';
export * from './account.ts';
export * from './people.ts';
export * from './audit.ts';
export * from './overview.ts';
export * from './job-list.ts';
export * from './admin.ts';
export * from './errors.ts';
export * from './issues.ts';
export * from './openapi.ts';
