// What the gateway offers beyond the interface.
import type { Requirement } from '../requirement.ts';

export const decisionsSurface = [
  {
    id: 'surface.providers',
    says: 'GET /v1/providers lists the capabilities and prices of every provider.',
  },
  {
    id: 'surface.providers.health',
    says: 'GET /v1/providers lists the health of every provider.',
  },
  { id: 'surface.balance', says: 'GET /v1/balance returns the balance.' },
  { id: 'surface.openapi', says: 'GET /openapi.json is a valid OpenAPI 3.1 document.' },
  {
    id: 'surface.openapi-examples',
    says: 'Every request that the API description shows is served.',
  },
  {
    id: 'surface.openapi-bearer',
    says: 'The API description asks for the bearer key on all four endpoints.',
  },
  {
    id: 'surface.openapi-requests',
    says: 'The API description has every field of every request, and allows no others.',
  },
  { id: 'surface.docs', says: 'GET /docs is the API description for people.' },
  {
    id: 'surface.healthz',
    says: 'GET /healthz answers while the process is alive, without a key.',
  },
  {
    id: 'surface.readyz',
    says: 'GET /readyz answers when the gateway can serve, without a key.',
  },
  {
    id: 'surface.metrics',
    says: 'GET /metrics returns metrics for Prometheus.',
  },
  { id: 'surface.mcp', says: 'POST /mcp offers the tools to agents.' },
  { id: 'surface.dashboard', says: 'The dashboard is served at /.' },
  { id: 'surface.admin', says: 'The admin API is under /admin/v1.' },
  {
    id: 'surface.callbacks-guarded',
    says: 'A callback without the right token is refused.',
  },
] as const satisfies readonly Requirement[];
