// The parts of providers that other modules may use.
export type {
  ExtractProduct,
  Hit,
  Page,
  PageOutcome,
  Provider,
  Repeat,
  SearchProduct,
} from './provider.ts';
export { providers } from './registry.ts';
export { freeProviders, listPrices } from './registry.ts';
export { mergeBody, mergeQuery, optionsSent, submissionOf } from './shared/native-options.ts';
export {
  isUnreadable,
  leftOutWarning,
  readAnswer,
  type ReadAnswer,
  sliceItems,
  UnreadableAnswer,
} from './shared/answer-items.ts';
export { cutTo, filled } from './shared/text.ts';
export type {
  Attempt,
  CallbackReport,
  LookupStep,
  Progress,
  TranscribeProduct,
  VendorSettings,
} from './shared/transcribe-product.ts';
export { vendorWarnings } from './shared/vendor-warnings.ts';
export type { WireRequest } from './shared/wire-request.ts';
