// Every command, in the order in which help lists them.
import type { Command } from './command.ts';
import { balance, providers } from './commands/account.ts';
import { accounts, keys, topup } from './commands/admin.ts';
import { auditLog } from './commands/audit-log.ts';
import { budgets } from './commands/budgets.ts';
import { completionCommand } from './commands/completion.ts';
import { doctor } from './commands/doctor.ts';
import { extract } from './commands/extract.ts';
import { health } from './commands/health.ts';
import { jobs } from './commands/jobs.ts';
import { login, logout } from './commands/login.ts';
import { mcp } from './commands/mcp.ts';
import { search } from './commands/search.ts';
import { audit, backup, migrate, resetPassword, restore, serve } from './commands/serve.ts';
import { status } from './commands/status.ts';
import { transcribe } from './commands/transcribe.ts';
import { webhooks } from './commands/webhooks.ts';
import { usage } from './commands/usage.ts';

export const commands: readonly Command[] = [
  search,
  extract,
  transcribe,
  jobs,
  balance,
  usage,
  providers,
  login,
  logout,
  status,
  doctor,
  health,
  mcp,
  serve,
  accounts,
  topup,
  keys,
  budgets,
  webhooks,
  auditLog,
  audit,
  backup,
  restore,
  migrate,
  resetPassword,
  completionCommand(() => commands),
];
