// What other modules may use of extract.
export { performExtract } from './extract-pages.ts';
export { planExtract } from './extract-plan.ts';
export { extract, prepareExtract, priceOfExtract } from './extract.ts';
