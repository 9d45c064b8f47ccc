import type { Request, Response } from 'express';
import { asRefusal, decodeText, readBody, readJsonFields } from '@heliograph/service-kit';

const MAX_BODY_BYTES = 1_000_000;

/** The JSON object of a request body. Throws INVALID_REQUEST, PAYLOAD_TOO_LARGE. */
export async function readFields(request: Request, response: Response): Promise<Record<string, unknown>> {
  const { bytes } = await readBody(request, response, MAX_BODY_BYTES);
  return asRefusal(() => readJsonFields(decodeText(bytes)));
}
