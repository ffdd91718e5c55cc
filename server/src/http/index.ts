// The parts of http that other modules may use.
export { makeLimits } from './limits.ts';
export { makeApp, uncaughtErrorResponse } from './app.ts';
export { makeSameOriginCheck } from './roles.ts';
export type { Route } from './route.ts';
export { makePaidTools } from './routes/api/tools.ts';
export { servePaid } from './serve-paid.ts';
export { makeRoutes } from './routes/table.ts';
export type { HttpContext, LoadFiles, WebFile } from './context.ts';
