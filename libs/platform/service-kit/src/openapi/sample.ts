import { ApiExtension } from '@nestjs/swagger';
import { SAMPLE, type SampleHints } from '@heliograph/api-reference';

/**
 * Completes the sample request of an operation in the API reference. A test of the local stack executes every sample.
 *
 * @example
 * Sample({ body: { name: "Spring sale" }, values: { id: { get: "/api/v1/sms/campaigns?status=draft" } } })
 */
export function Sample(hints: SampleHints): MethodDecorator {
  return ApiExtension(SAMPLE, hints);
}
