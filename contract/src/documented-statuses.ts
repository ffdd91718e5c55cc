// The statuses that the test of the API description expects for sign-in, people and estimates.

type Statuses = Readonly<Record<string, readonly number[]>>;

export const estimateStatuses: Statuses = {
  'post /v1/estimates/search': [200, 400, 401, 413, 429, 500, 501, 503],
  'post /v1/estimates/extract': [200, 400, 401, 413, 429, 500, 503],
  'post /v1/estimates/transcription': [200, 400, 401, 413, 429, 500, 503],
};

export const peopleStatuses: Statuses = {
  'get /admin/v1/session': [200, 400, 500],
  'post /admin/v1/join': [201, 400, 403, 404, 413, 500],
  'post /admin/v1/join/check': [200, 400, 403, 413, 500],
  'get /admin/v1/people': [200, 401, 500],
  'patch /admin/v1/people/{id}': [200, 400, 401, 404, 409, 413, 500],
  'delete /admin/v1/people/{id}': [200, 401, 404, 409, 500],
  'post /admin/v1/people/{id}/reset': [201, 401, 404, 500],
  'post /admin/v1/reset': [200, 400, 403, 404, 413, 500],
  'post /admin/v1/reset/check': [200, 400, 403, 413, 500],
  'get /admin/v1/profile': [200, 401, 403, 500],
  'patch /admin/v1/profile': [200, 400, 401, 403, 413, 500],
  'delete /admin/v1/profile/sessions': [200, 401, 403, 500],
  'delete /admin/v1/profile/sessions/{id}': [200, 401, 403, 404, 500],
  'post /admin/v1/invites': [201, 400, 401, 409, 413, 500],
  'delete /admin/v1/invites/{id}': [200, 401, 404, 500],
  'get /admin/v1/settings': [200, 401, 500],
};

export const adminStatuses: Statuses = {
  'post /admin/v1/accounts': [201, 400, 401, 409, 413, 500],
  'get /admin/v1/accounts': [200, 400, 401, 429, 500, 503],
  'get /admin/v1/accounts/{id}': [200, 401, 404, 429, 500, 503],
  'patch /admin/v1/accounts/{id}': [200, 400, 401, 404, 413, 500],
  'post /admin/v1/accounts/{id}/topups': [201, 400, 401, 404, 409, 413, 500, 503],
  'post /admin/v1/accounts/{id}/adjustments': [201, 400, 401, 404, 409, 413, 500, 503],
  'post /admin/v1/accounts/{id}/refunds': [201, 400, 401, 404, 409, 413, 500, 503],
  'post /admin/v1/accounts/{id}/keys': [201, 400, 401, 404, 409, 413, 500],
  'post /admin/v1/accounts/{id}/budgets': [200, 400, 401, 404, 409, 413, 500],
  'get /admin/v1/accounts/{id}/budgets': [200, 401, 404, 429, 500, 503],
  'get /admin/v1/accounts/{id}/keys': [200, 401, 404, 429, 500, 503],
  'patch /admin/v1/keys/{id}': [200, 400, 401, 404, 413, 500],
  'delete /admin/v1/keys/{id}': [200, 401, 404, 500],
  'post /admin/v1/keys/{id}/rotate': [201, 400, 401, 404, 409, 413, 500],
  'delete /admin/v1/keys/{id}/previous': [200, 401, 404, 500],
  'get /admin/v1/requests': [200, 400, 401, 429, 500, 503],
  'get /admin/v1/requests/export': [200, 400, 401, 429, 500, 503],
  'get /admin/v1/requests/{id}': [200, 400, 401, 404, 429, 500, 503],
  'get /admin/v1/transfers': [200, 400, 401, 429, 500, 503],
  'get /admin/v1/usage': [200, 400, 401, 429, 500, 503],
  'get /admin/v1/jobs': [200, 400, 401, 429, 500, 503],
  'get /admin/v1/overview': [200, 400, 401, 429, 500, 503],
  'get /admin/v1/activity': [200, 400, 401, 429, 500, 503],
  'get /admin/v1/cache': [200, 401, 429, 500, 503],
  'delete /admin/v1/cache': [200, 400, 401, 500],
  'get /admin/v1/audit': [200, 400, 401, 429, 500, 503],
  'get /admin/v1/books': [200, 401, 429, 500, 503],
  'get /admin/v1/provider-records': [200, 401, 429, 500, 503],
  'post /admin/v1/providers/{id}/check': [200, 401, 404, 500, 501, 503],
};

export const oauthStatuses: Statuses = {
  'get /.well-known/oauth-authorization-server': [200, 400, 500],
  'get /.well-known/oauth-protected-resource': [200, 400, 500],
  'get /.well-known/oauth-protected-resource/mcp': [200, 400, 500],
  'post /oauth/register': [201, 400, 413, 500],
  'get /oauth/authorize': [200, 400, 500],
  'post /oauth/token': [200, 400, 401, 413, 500],
  'post /oauth/revoke': [200, 400, 401, 413, 500],
  'post /oauth/consent/check': [200, 400, 401, 403, 404, 413, 500],
  'post /oauth/consent': [200, 400, 401, 403, 404, 413, 500],
};

export const webhookStatuses: Statuses = {
  'post /admin/v1/webhooks': [201, 400, 401, 404, 409, 413, 500],
  'get /admin/v1/webhooks': [200, 400, 401, 429, 500, 503],
  'get /admin/v1/webhooks/deliveries': [200, 400, 401, 429, 500, 503],
  'post /admin/v1/webhooks/deliveries/{id}/redeliver': [200, 400, 401, 404, 409, 429, 500],
  'get /admin/v1/webhooks/{id}': [200, 401, 404, 429, 500, 503],
  'patch /admin/v1/webhooks/{id}': [200, 400, 401, 404, 413, 500],
  'delete /admin/v1/webhooks/{id}': [200, 401, 404, 500],
  'post /admin/v1/webhooks/{id}/rotate': [200, 400, 401, 404, 409, 413, 500],
  'post /admin/v1/webhooks/{id}/test': [201, 400, 401, 404, 409, 429, 500],
  'get /admin/v1/accounts/{id}/webhook-secret': [200, 401, 404, 429, 500, 503],
  'post /admin/v1/accounts/{id}/webhook-secret/rotate': [200, 400, 401, 404, 409, 413, 500],
};
