// The parts of billing that other modules may use.
export { auditLedger, auditLines, auditMemory, violationLines } from './audit-books.ts';
export { type Ledger, makeLedger } from './ledger.ts';
export { bookBatchWithin } from './book-batch.ts';
export { type CallPlan, type Done, type JobPlan, runPaid, type Tool } from './charge.ts';
export type { BillingContext } from './context.ts';
export {
  type AskedCost,
  checkCeiling,
  checkCost,
  type CheckedCost,
  countUnpaid,
  howToTopUp,
  maxCostOf,
  maxCostOfAll,
  policyCeiling,
  sumOfCosts,
} from './price-call.ts';
export {
  billingExpiry,
  changeBudget,
  readBudgetedTags,
  readBudgetUse,
  startBudgetWatch,
} from './budgets.ts';
export type { LinkedRows, Posted, Posting } from './posting.ts';
export { makeStoppedAccounts, type StoppedAccounts } from './stopped-accounts.ts';
export {
  readBalance,
  readFunds,
  readKeySpending,
  readPosted,
  readTransferPage,
  releaseDueHolds,
} from './read-ledger.ts';
export { exposedByJobs, findLastMovement, heldByRequests } from './store/ledger.ts';
export { type BudgetRow, tagBytes } from './store/budgets.ts';
