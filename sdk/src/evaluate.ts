// An evaluation of engines on a caller's own queries: the same queries are sent to several engines, and
// their answers are measured and compared. The command line and the dashboard use it.
export { keepInMemory, placeOf } from './evaluate/answers.ts';
export type { EngineAnswer, KeptAnswers } from './evaluate/answers.ts';
export { concludeFrom, count } from './evaluate/conclusions.ts';
export { answersCsv, enginesCsv } from './evaluate/csv-report.ts';
export { writeHtml } from './evaluate/html-report.ts';
export {
  InputError,
  checkSize,
  inputLimits,
  readQueries,
  readJudgements,
} from './evaluate/input.ts';
export type { EvaluatedQuery, Judgements } from './evaluate/input.ts';
export { measureEngines } from './evaluate/measure.ts';
export type { Report } from './evaluate/measure.ts';
export { isBudget, maxBudgetUsd, openCostOf, priceQueries } from './evaluate/price-queries.ts';
export { runQueries } from './evaluate/run-queries.ts';
export { notesOn, summaryOf } from './evaluate/summary.ts';
