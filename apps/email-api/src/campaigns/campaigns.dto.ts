import { IntersectionType, PartialType } from '@nestjs/swagger';
import { V1CampaignFields, V1EstimateFields } from '@heliograph/campaigns';
import { V1Request } from '@heliograph/service-kit';
import { V1EmailContent } from '../v1/v1-send.dto';

const CONTENT = [
  'from',
  'from_name',
  'reply_to',
  'subject',
  'html',
  'text',
  'template_id',
  'variables',
  'attachments',
  'headers',
  'tags',
  'tracking',
  'unsubscribe_scope',
] as (keyof V1EmailContent)[];

/** The request of POST /api/v1/email/campaigns. */
@V1Request()
export class V1EmailCampaignRequest extends IntersectionType(V1CampaignFields, V1EmailContent) {}

/** The request of PUT /api/v1/email/campaigns/:id. Absent fields stay as they are, and null clears optional ones. */
@V1Request()
export class V1EmailCampaignChanges extends IntersectionType(PartialType(V1CampaignFields), V1EmailContent) {}

/** The request of POST /api/v1/email/campaigns/estimate. */
@V1Request()
export class V1EmailEstimateRequest extends IntersectionType(V1EstimateFields, V1EmailContent) {}

/** Returns the content of the emails in its stored form. */
export function contentOf(request: Partial<V1EmailContent>): Record<string, unknown> {
  return Object.fromEntries(
    CONTENT.flatMap((name) => ((request[name] ?? null) === null ? [] : [[name, request[name]]])),
  );
}
