// The parts of audit that other modules may use.
export { audit } from './audit.ts';
export { checkHourly } from './hourly-limit.ts';
export { exportAudit, readAudit } from './read-audit.ts';
export { auditExpiry } from './store/audit-log.ts';
