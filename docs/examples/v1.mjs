// Stores a contact, sends a campaign to it and waits until the campaign is completed. Needs Node.js 18 or newer.
// HELIOGRAPH_URL: the address of the gateway. HELIOGRAPH_KEY: an API key.
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';

const { HELIOGRAPH_URL: url = 'http://localhost:8080', HELIOGRAPH_KEY: key } = process.env;
if (!key) throw new Error('Set HELIOGRAPH_KEY to an API key.');

/** Calls the API. A repeated POST with the same Idempotency-Key has no further effect. */
async function call(method, path, body) {
  const response = await fetch(url + path, {
    method,
    headers: {
      Authorization: `Bearer ${key}`,
      'Content-Type': 'application/json',
      ...(method === 'POST' ? { 'Idempotency-Key': randomUUID() } : {}),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(`${method} ${path}: ${answer.code}: ${answer.message}`);
  return answer;
}

const contact = await call('POST', '/api/v1/contacts?upsert=true', {
  email: 'node@elsewhere.example',
  first_name: 'Node',
  consent: { email: 'opted_in' },
});

const content = { subject: 'Hello {{ first_name }}', text: 'This is your first campaign.' };
const audience = { contact_ids: [contact.id] };
const estimate = await call('POST', '/api/v1/email/campaigns/estimate', { ...content, audience });
console.log(`The campaign costs ${estimate.credits_cost} credit(s).`);

let campaign = await call('POST', '/api/v1/email/campaigns', { name: 'Example', ...content, audience });
while (campaign.status === 'running') {
  await delay(500);
  campaign = await call('GET', `/api/v1/email/campaigns/${campaign.id}`);
}
console.log(`The campaign is ${campaign.status}: ${campaign.counts.queued} email(s).`);
if (campaign.status !== 'completed') process.exitCode = 1;
