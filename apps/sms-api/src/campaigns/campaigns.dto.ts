import { IntersectionType, PartialType } from '@nestjs/swagger';
import { V1CampaignFields, V1EstimateFields } from '@heliograph/campaigns';
import { V1Request } from '@heliograph/service-kit';
import { V1SmsContent } from '../v1/v1-send.dto';

/** The request of POST /api/v1/sms/campaigns. */
@V1Request()
export class V1SmsCampaignRequest extends IntersectionType(V1CampaignFields, V1SmsContent) {}

/** The request of PUT /api/v1/sms/campaigns/:id. Absent fields stay as they are, and null clears optional ones. */
@V1Request()
export class V1SmsCampaignChanges extends IntersectionType(PartialType(V1CampaignFields), V1SmsContent) {}

/** The request of POST /api/v1/sms/campaigns/estimate. */
@V1Request()
export class V1SmsEstimateRequest extends IntersectionType(V1EstimateFields, V1SmsContent) {}

/** Returns the content of the messages in its stored form. */
export function contentOf({
  sender_id,
  message,
  template_id,
  variables,
  flash,
}: V1SmsContent): Record<string, unknown> {
  const content = { sender_id, message, template_id, variables, flash };
  return Object.fromEntries(Object.entries(content).filter(([, value]) => value !== undefined && value !== null));
}
