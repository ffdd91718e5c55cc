// What foreign text carries beside its words, and how much of it is given.
export { type ContentContext, guardItems } from './guard-answer.ts';
export { makeTokenBudget } from './token-budget.ts';
