// Stores a contact, sends a campaign to it and waits until the campaign is completed. Needs Node.js 20 or newer.
// HELIOGRAPH_URL: the address of the gateway. HELIOGRAPH_KEY: an API key.
import { setTimeout as delay } from 'node:timers/promises';
import { Heliograph } from '@heliograph/sdk';

const { HELIOGRAPH_URL: baseUrl = 'http://localhost:8080', HELIOGRAPH_KEY: apiKey } = process.env;
if (!apiKey) throw new Error('Set HELIOGRAPH_KEY to an API key.');
const client = new Heliograph({ apiKey, baseUrl });

const contact = await client.contacts.create({
  email: 'node@elsewhere.example',
  first_name: 'Node',
  consent: { email: 'opted_in' },
  upsert: true,
});

const content = { subject: 'Hello {{ first_name }}', text: 'This is your first campaign.' };
const audience = { contact_ids: [contact.id] };
const estimate = await client.email.campaigns.estimate({ ...content, audience });
console.log(`The campaign costs ${estimate.credits_cost} credit(s).`);

let campaign = await client.email.campaigns.create({ name: 'Example', ...content, audience });
while (campaign.status === 'running') {
  await delay(500);
  campaign = await client.email.campaigns.get(campaign.id);
}
console.log(`The campaign is ${campaign.status}: ${campaign.counts.queued} email(s).`);
if (campaign.status !== 'completed') process.exitCode = 1;
