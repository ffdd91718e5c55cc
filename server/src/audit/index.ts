// The parts of audit that other modules may use.
export {
  audit,
  type AuditedChange,
  type Author,
  bootstrap,
  commandLine,
  personAuthor,
} from './audit.ts';
export { auditExpiry, checkHourly, exportAudit, readAudit } from './read-audit.ts';
export type { Fields } from './store/audit-log.ts';
