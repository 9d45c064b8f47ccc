import { PROCESSOR_SIGNATURE_HEADER, signProcessorPayload } from '@heliograph/secrets';
import { callUntilAnswered, type CallReport } from '../call';

export const PROCESSOR_SECRET = 'whsec_chaos';

interface Acknowledgement {
  received: boolean;
  eventId: string;
}

/** Posts a signed event until it is acknowledged. Resolves with false if it is not. */
export async function postPaymentEvent(
  hookUrl: string,
  event: Readonly<{ id: string }>,
  report: CallReport,
): Promise<boolean> {
  const body = JSON.stringify({ object: 'event', ...event });
  const answer = await callUntilAnswered<Acknowledgement>(
    {
      name: `the payment event ${event.id}`,
      url: `${hookUrl}/api/webhooks/payments`,
      body,
      headers: () => ({
        [PROCESSOR_SIGNATURE_HEADER]: signProcessorPayload(body, PROCESSOR_SECRET, Math.floor(Date.now() / 1000)),
      }),
    },
    report,
  );
  if (!answer) return false;
  if (!answer.received || answer.eventId !== event.id)
    report.problems.push(`the payment event ${event.id} was acknowledged with ${JSON.stringify(answer)}`);
  return true;
}
