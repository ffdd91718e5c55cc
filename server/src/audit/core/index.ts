// The pure part of audit that other modules may use.
export { type AuditedChange, type Author, bootstrap, commandLine, type Fields } from './change.ts';
