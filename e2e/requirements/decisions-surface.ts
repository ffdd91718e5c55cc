// What the gateway offers beyond the interface.
export const decisionsSurface = {
  'surface.providers': 'GET /v1/providers lists the capabilities and prices of every provider.',
  'surface.providers.health': 'GET /v1/providers lists the health of every provider.',
  'surface.balance': 'GET /v1/balance returns the balance.',
  'surface.openapi': 'GET /openapi.json is a valid OpenAPI 3.1 document.',
  'surface.openapi-examples': 'Every request that the API description shows is served.',
  'surface.openapi-bearer': 'The API description asks for the bearer key on all four endpoints.',
  'surface.openapi-requests':
    'The API description has every field of every request, and allows no others.',
  'surface.docs': 'GET /docs is the API description for people.',
  'surface.healthz': 'GET /healthz answers while the process is alive, without a key.',
  'surface.readyz': 'GET /readyz answers when the gateway can serve, without a key.',
  'surface.metrics': 'GET /metrics returns metrics for Prometheus.',
  'surface.mcp': 'POST /mcp offers the tools to agents.',
  'surface.dashboard': 'The dashboard is served at /.',
  'surface.admin': 'The admin API is under /admin/v1.',
  'surface.callbacks-guarded': 'A callback without the right token is refused.',
} as const;
