// The parts of billing that other modules may use.
export { auditLedger, auditLines, auditMemory, violationLines } from './audit-books.ts';
export { readBalance } from './balance.ts';
export { bookBatchWithin } from './book-batch.ts';
export { type CallPlan, type Done, type JobPlan, runPaid, type Tool } from './charge.ts';
export type { BalanceContext, BillingContext } from './context.ts';
export { countUnpaid } from './count-request.ts';
export {
  type AskedCost,
  checkCeiling,
  checkCost,
  type CheckedCost,
  howToTopUp,
  maxCostOf,
  maxCostOfAll,
  policyCeiling,
  sumOfCosts,
} from './price-call.ts';
export { billingExpiry, startBudgetWatch } from './budgets.ts';
export { type Ledger, makeLedger } from './ledger.ts';
export type { LinkedRows, Posted, Posting } from './posting.ts';
export { makeStoppedAccounts, type StoppedAccounts } from './stopped-accounts.ts';
export { countGateways } from './store/gateways.ts';
export {
  exposedByJobs,
  findDueHolds,
  findPosted,
  heldByRequests,
  sumKeyDays,
} from './store/ledger.ts';
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
