// Makes a webhook at the sandbox's ElevenLabs, as an operator would at the real one.

export async function makeWebhook(
  sandboxUrl: string,
  webhookUrl: string,
): Promise<{ webhook_id: string; webhook_secret: string }> {
  const settings = { auth_type: 'hmac', name: 'gateway', webhook_url: webhookUrl };
  const response = await fetch(`${sandboxUrl}/elevenlabs/v1/workspace/webhooks`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'xi-api-key': 'any' },
    body: JSON.stringify({ settings }),
  });
  return (await response.json()) as { webhook_id: string; webhook_secret: string };
}
