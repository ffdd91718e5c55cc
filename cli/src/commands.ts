// Every command, in the order in which help lists them.
import type { Command } from './command.ts';
import { balance, providers } from './commands/account.ts';
import { accounts, keys, refund, topup } from './commands/admin.ts';
import { auditLog } from './commands/audit-log.ts';
import { budgets } from './commands/budgets.ts';
import { completionCommand } from './commands/completion.ts';
import { doctor } from './commands/doctor.ts';
import { estimate } from './commands/estimate.ts';
import { evaluate } from './commands/evaluate.ts';
import { exportCommand } from './commands/export.ts';
import { extract } from './commands/extract.ts';
import { feedback } from './commands/feedback.ts';
import { health } from './commands/health.ts';
import { invitations } from './commands/invitations.ts';
import { jobs } from './commands/jobs.ts';
import { key } from './commands/key.ts';
import { listen } from './commands/listen.ts';
import { login, logout, profiles, whoami } from './commands/login.ts';
import { mcp } from './commands/mcp.ts';
import { logs, requests } from './commands/requests.ts';
import { search } from './commands/search.ts';
import { audit, backup, migrate, resetPassword, restore, serve } from './commands/serve.ts';
import { status } from './commands/status.ts';
import { transcribe } from './commands/transcribe.ts';
import { scorecard } from './commands/scorecard.ts';
import { transfers } from './commands/transfers.ts';
import { trigger } from './commands/trigger.ts';
import { uploads } from './commands/uploads.ts';
import { webhooks } from './commands/webhooks.ts';
import { usage } from './commands/usage.ts';

export const commands: readonly Command[] = [
  search,
  extract,
  transcribe,
  estimate,
  feedback,
  evaluate,
  jobs,
  uploads,
  balance,
  usage,
  providers,
  login,
  logout,
  whoami,
  profiles,
  accounts,
  keys,
  topup,
  refund,
  transfers,
  scorecard,
  budgets,
  invitations,
  webhooks,
  requests,
  logs,
  exportCommand,
  auditLog,
  serve,
  status,
  doctor,
  health,
  audit,
  backup,
  restore,
  migrate,
  resetPassword,
  key,
  listen,
  trigger,
  mcp,
  completionCommand(() => commands),
];
