// The parts of http that other modules may use.
export {
  type Limiters,
  makeAdmit,
  makeReadLimit,
  makeReportTurns,
  type EnterRead,
} from './limits.ts';
export { type AppDependencies, makeApp, uncaughtErrorResponse } from './app.ts';
export { makeSameOriginCheck } from './middleware/same-origin.ts';
export type { Access } from './roles.ts';
export type { Route } from './route.ts';
export { overviewRoutes } from './routes/admin/reports.ts';
export { requestLogRoutes } from './routes/admin/request-log.ts';
export { adminRoutes } from './routes/admin/accounts.ts';
export { settingsRoutes } from './routes/admin/reports.ts';
export { webhookRoutes } from './routes/admin/webhooks.ts';
export { accountRoutes } from './routes/api/own-use.ts';
export { estimateRoutes } from './routes/api/estimates.ts';
export { feedbackRoutes } from './routes/api/feedback.ts';
export { describeAll, metaRoutes, providerRoutes, type Readiness } from './routes/api/meta.ts';
export { ownUseRoutes } from './routes/api/own-use.ts';
export { makePaidTools, toolRoutes } from './routes/api/tools.ts';
export { servePaid } from './serve-paid.ts';
export { uploadRoutes } from './routes/api/uploads.ts';
export { callbackRoutes } from './routes/callbacks/routes.ts';
export { compatRoutes } from './routes/compat/routes.ts';
export { peopleRoutes, type SignInServices } from './routes/people.ts';
export {
  type DashboardFiles,
  dashboardRoutes,
  docsRoutes,
  type LoadFiles,
  type WebFile,
} from './routes/web-files.ts';
export { mcpRoutes } from './routes/mcp/routes.ts';
export { oauthRoutes, type OAuthServices } from './routes/oauth.ts';
export { openAiRoutes } from './routes/openai/routes.ts';
