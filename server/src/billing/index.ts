// The parts of billing that other modules may use.
export { auditMemory } from './audit-memory.ts';
export { auditLedger, auditLines, violationLines } from './audit-books.ts';
export { readBalance } from './balance.ts';
export { bookBatchWithin } from './book-batch.ts';
export { type CallPlan, type Done, type JobPlan, runPaid, type Tool } from './charge.ts';
export type { BalanceContext, BillingContext } from './context.ts';
export { countUnpaid } from './count-request.ts';
export { howToTopUp } from './declined.ts';
export { billingExpiry } from './fold-tags.ts';
export { type Ledger, makeLedger } from './ledger.ts';
export type { LinkedRows } from './linked-rows.ts';
export type { Posted, Posting } from './posting.ts';
export {
  checkCeiling,
  checkCost,
  type CheckedCost,
  maxCostOf,
  maxCostOfAll,
  policyCeiling,
  sumOfCosts,
} from './price-call.ts';
export { startBudgetWatch } from './watch-budgets.ts';
export { makeStoppedAccounts, type StoppedAccounts } from './stopped-accounts.ts';
export { countGateways } from './store/gateways.ts';
export { findDueHolds, sumKeyDays } from './store/ledger.ts';
export { exposedByJobs, findPosted, heldByRequests } from './store/balances.ts';
export {
  type BudgetRow,
  deleteBudget,
  findBudgetNames,
  listBudgets,
  putBudget,
  tagBytes,
} from './store/budgets.ts';
export {
  findBalances,
  findTransferAmount,
  hasOtherFunds,
  listTransfers,
} from './store/transfers.ts';
