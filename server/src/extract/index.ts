// The parts of extract that other modules may use.
export { performExtract } from './extract-pages.ts';
export { planExtract } from './extract-plan.ts';
export { makeExtractTool, priceOfExtract } from './extract.ts';
