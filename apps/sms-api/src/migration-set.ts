import type { MigrationSet } from '@heliograph/database';
import { smsCatalogMigrations } from '@heliograph/sms-catalog';
import advanceClock from './messages/sql/advance-clock.sql';
import accept from './messages/sql/accept.sql';
import acceptAll from './messages/sql/accept-all.sql';
import acceptanceType from './messages/sql/acceptance-type.sql';
import cancelCampaign from './campaigns/sql/cancel-campaign.sql';
import cancelWaiting from './campaigns/sql/cancel-waiting.sql';
import countCampaignResults from './campaigns/sql/count-campaign-results.sql';
import requeueWaiting from './campaigns/sql/requeue-waiting.sql';
import matchUnmatched from './receipts/sql/match-unmatched.sql';
import receiptType from './receipts/sql/receipt-type.sql';
import recordReceipts from './receipts/sql/record-receipts.sql';
import settlePartialDeliveries from './receipts/sql/settle-partial-deliveries.sql';
import claim from './sending/sql/claim.sql';
import concludeSubmits from './sending/sql/conclude-submits.sql';
import requeue from './sending/sql/requeue.sql';
import recordSubmits from './sending/sql/record-submits.sql';
import submitResultType from './sending/sql/submit-result-type.sql';

/** The migrations of the catalog library and the SQL functions of this service. */
export const smsMigrations: MigrationSet = {
  ...smsCatalogMigrations,
  repeatable: [
    { name: 'advance-clock', sql: advanceClock },
    { name: 'acceptance-type', sql: acceptanceType },
    { name: 'submit-result-type', sql: submitResultType },
    { name: 'receipt-type', sql: receiptType },
    { name: 'accept', sql: accept },
    { name: 'accept-all', sql: acceptAll },
    { name: 'claim', sql: claim },
    { name: 'record-receipts', sql: recordReceipts },
    { name: 'match-unmatched', sql: matchUnmatched },
    { name: 'settle-partial-deliveries', sql: settlePartialDeliveries },
    { name: 'conclude-submits', sql: concludeSubmits },
    { name: 'record-submits', sql: recordSubmits },
    { name: 'requeue', sql: requeue },
    { name: 'count-campaign-results', sql: countCampaignResults },
    { name: 'cancel-waiting', sql: cancelWaiting },
    { name: 'cancel-campaign', sql: cancelCampaign },
    { name: 'requeue-waiting', sql: requeueWaiting },
  ],
};
