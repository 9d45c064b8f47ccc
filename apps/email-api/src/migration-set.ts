import type { MigrationSet } from '@heliograph/database';
import { emailCatalogMigrations } from '@heliograph/email-catalog';
import cancelCampaign from './campaigns/sql/cancel-campaign.sql';
import countCampaignResults from './campaigns/sql/count-campaign-results.sql';
import requeueWaiting from './campaigns/sql/requeue-waiting.sql';
import domainOf from './events/sql/domain-of.sql';
import eventType from './events/sql/event-type.sql';
import failDomain from './events/sql/fail-domain.sql';
import messageIdOf from './events/sql/message-id-of.sql';
import recordEvents from './events/sql/record-events.sql';
import resubscribe from './events/sql/resubscribe.sql';
import suppress from './events/sql/suppress.sql';
import suppressionOf from './events/sql/suppression-of.sql';
import unsubscribedScope from './events/sql/unsubscribed-scope.sql';
import advanceClock from './messages/sql/advance-clock.sql';
import accept from './messages/acceptance/sql/accept.sql';
import acceptAll from './messages/acceptance/sql/accept-all.sql';
import acceptanceTypes from './messages/acceptance/sql/acceptance-types.sql';
import attemptType from './sending/sql/attempt-type.sql';
import beginData from './sending/sql/begin-data.sql';
import claim from './sending/sql/claim.sql';
import claimSlice from './sending/sql/claim-slice.sql';
import markData from './sending/sql/mark-data.sql';
import recordAttempts from './sending/sql/record-attempts.sql';
import requeue from './sending/sql/requeue.sql';
import settle from './sending/sql/settle.sql';

/** The migrations of the catalog library and the SQL functions of this service. */
export const emailMigrations: MigrationSet = {
  ...emailCatalogMigrations,
  repeatable: [
    { name: 'advance-clock', sql: advanceClock },
    { name: 'acceptance-types', sql: acceptanceTypes },
    { name: 'attempt-type', sql: attemptType },
    { name: 'event-type', sql: eventType },
    { name: 'suppress', sql: suppress },
    { name: 'suppression-of', sql: suppressionOf },
    { name: 'unsubscribed-scope', sql: unsubscribedScope },
    { name: 'domain-of', sql: domainOf },
    { name: 'fail-domain', sql: failDomain },
    { name: 'message-id-of', sql: messageIdOf },
    { name: 'record-events', sql: recordEvents },
    { name: 'resubscribe', sql: resubscribe },
    { name: 'settle', sql: settle },
    { name: 'accept', sql: accept },
    { name: 'accept-all', sql: acceptAll },
    { name: 'claim-slice', sql: claimSlice },
    { name: 'claim', sql: claim },
    { name: 'mark-data', sql: markData },
    { name: 'begin-data', sql: beginData },
    { name: 'record-attempts', sql: recordAttempts },
    { name: 'requeue', sql: requeue },
    { name: 'count-campaign-results', sql: countCampaignResults },
    { name: 'cancel-campaign', sql: cancelCampaign },
    { name: 'requeue-waiting', sql: requeueWaiting },
  ],
};
