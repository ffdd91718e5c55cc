// The parts of http that other modules may use.
export { type Limiters, makeAdmit } from './admit.ts';
export { makeReportTurns } from './report-turns.ts';
export { type AppDependencies, makeApp, uncaughtErrorResponse } from './app.ts';
export { type EnterRead, makeReadLimit } from './middleware/read-limit.ts';
export { makeSameOriginCheck } from './middleware/same-origin.ts';
export { makeSessions, type Sessions } from './middleware/session.ts';
export type { Route } from './route.ts';
export { overviewRoutes } from './routes/admin/reports.ts';
export { requestLogRoutes } from './routes/admin/request-log.ts';
export { adminRoutes } from './routes/admin/routes.ts';
export { settingsRoutes } from './routes/admin/reports.ts';
export { webhookRoutes } from './routes/admin/webhooks.ts';
export { accountRoutes } from './routes/api/own-use.ts';
export { estimateRoutes } from './routes/api/estimates.ts';
export { feedbackRoutes } from './routes/api/feedback.ts';
export { metaRoutes, type Readiness } from './routes/api/meta.ts';
export { ownUseRoutes } from './routes/api/own-use.ts';
export { describeAll, providerRoutes } from './routes/api/providers.ts';
export { makePaidTools, toolRoutes } from './routes/api/tools.ts';
export { servePaid } from './serve-paid.ts';
export { uploadRoutes } from './routes/api/uploads.ts';
export { callbackRoutes } from './routes/callbacks/routes.ts';
export { compatRoutes } from './routes/compat/routes.ts';
export { signInRoutes, type SignInServices } from './routes/dashboard/sign-in.ts';
export {
  type DashboardFiles,
  dashboardRoutes,
  docsRoutes,
  type LoadFiles,
  type WebFile,
} from './routes/web-files.ts';
export { mcpRoutes } from './routes/mcp/routes.ts';
export { oauthRoutes, type OAuthServices } from './routes/oauth/routes.ts';
export { openAiRoutes } from './routes/openai/routes.ts';
